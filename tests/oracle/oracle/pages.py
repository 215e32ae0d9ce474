"""Pages of text, drawn with PIL: RGB, no alpha."""

import random

import numpy
import torch
from PIL import Image, ImageDraw, ImageFont
from safetensors.torch import load_file

# width, height: a multiple of 28; no multiple of the patch; smaller than the least; above the limit
SIZES = [(112, 84), (131, 97), (45, 31), (263, 331)]
WIDE = (176, 88)  # two tiles of Unlimited-OCR


def draw_page(width, height, seed):
    rng = random.Random(seed)
    paper = tuple(rng.randint(225, 255) for _ in range(3))
    page = Image.new("RGB", (width, height), paper)
    draw = ImageDraw.Draw(page)
    words = "Annual report of the year 2024 total 1,024.50 page model reads verified draft".split()
    y = 4
    while y < height - 8:
        size = rng.choice([8, 10, 13, 18])
        line = " ".join(rng.choice(words) for _ in range(max(1, width // 40)))
        ink = tuple(rng.randint(0, 120) for _ in range(3))
        draw.text((rng.randint(2, 12), y), line, fill=ink, font=ImageFont.load_default(size))
        y += size + 4
    draw.rectangle([width // 2, height // 2, width - 3, height - 3], outline=(200, 30, 30))
    return page


def take_pages(expected, folder):
    """Takes the pages out of the expected tensors and stores them as PNGs, a tenth of their size."""
    for name in [k for k in expected if k.endswith(".page")]:
        Image.fromarray(expected.pop(name).numpy()).save(folder / f"{name}.png", optimize=True)


def load_expected(folder):
    """The expected tensors of a checkpoint's folder, with the pages that are PNGs."""
    expected = load_file(folder / "expected" / "model.safetensors")
    for png in (folder / "expected").glob("*.page.png"):
        expected[png.stem] = torch.from_numpy(numpy.array(Image.open(png)))
    return expected
