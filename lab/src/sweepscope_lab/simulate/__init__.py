"""Simulations that query an instrument thousands of times, and measure the results of its answers."""
