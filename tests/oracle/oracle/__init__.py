"""Tiny random checkpoints and what transformers makes of them (developer's tool, see README)."""
