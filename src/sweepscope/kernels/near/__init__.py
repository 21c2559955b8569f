"""How near bodies are: distance and nearest points of two bodies, and of one to the others."""
