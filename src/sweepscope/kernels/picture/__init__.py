"""Images of depth: straight views, views about an axis, and what a radar reads from them."""
