"""The Cyber Radar: free travel of a body, read from pictures."""
