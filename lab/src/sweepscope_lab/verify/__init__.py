"""Proofs: the library compared with exact or slow twins."""
