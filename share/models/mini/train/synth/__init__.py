"""Documents with known truth, drawn from a seed: text, fonts, pages, degradation, PDFs."""
