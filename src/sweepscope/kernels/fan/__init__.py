"""Fans, and boxes that swing about an axis."""
