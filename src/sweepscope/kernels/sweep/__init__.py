"""The first contact of moving bodies with all others."""
