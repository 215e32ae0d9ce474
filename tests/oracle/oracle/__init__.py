"""Tiny random checkpoints and what transformers makes of them (developer's tool, see README)."""

from transformers.utils import logging

logging.set_verbosity_error()
logging.disable_progress_bar()
