"""Simulations that ask an instrument thousands of questions, and measure what came of its answers."""
