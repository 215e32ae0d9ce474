"""Held-out pages as files, for benches: python held_out.py --to FOLDER [--pages N] [--seed S]

FOLDER/clean and FOLDER/degraded get scans (PNG), FOLDER/digital PDFs with a text layer, each with its truth STEM.md."""

import argparse
import os

from PIL import Image

import evaluate
from synth import pdf

DPI = 150


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--to", required=True)
    p.add_argument("--pages", type=int, default=6, help="of each group")
    p.add_argument("--kind", default="one", choices=["plain", "one", "two"])
    p.add_argument("--seed", type=int, default=77)
    args = p.parse_args()
    for group, level in (("clean", 0), ("degraded", 2), ("digital", 0)):
        folder = os.path.join(args.to, group)
        os.makedirs(folder, exist_ok=True)
        written = 0
        for made in evaluate.held_out_pages(args.kind, level, False, 4 * args.pages, args.seed):
            stem = os.path.join(folder, f"{args.kind}{written:02}")
            if group == "digital":
                try:
                    pdf.write_text(stem + ".pdf", [made["page"]], DPI)
                except ValueError:
                    continue  # a font that cannot be embedded
            else:
                Image.fromarray(made["image"]).save(stem + ".png", dpi=(DPI, DPI))
            with open(stem + ".md", "w", encoding="utf-8") as file:
                file.write("".join(c for c, *_ in made["page"].truth()) + "\n")
            written += 1
            if written == args.pages:
                break


if __name__ == "__main__":
    main()
