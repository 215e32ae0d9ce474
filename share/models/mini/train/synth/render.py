"""Pages to gray images, with a map of which character covers which pixel."""

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from .text import CHARSET

CLASSES = {c: i + 2 for i, c in enumerate(CHARSET)}
BLANK, GROUND, UNKNOWN = 1, 0, 255


def draw(page, rng, typesetting=None):
    """(image L, labels L, centers): labels holds the class of the character over each pixel; `centers` maps
    (id(line), word) to the list of its characters' centers (x, y). typesetting: harder.Typesetting, how words are set."""
    paper = rng.choice([255, 255, 255, 250, 240, rng.randint(205, 255)])
    ink = rng.choice([0, 0, 0, 20, 60, rng.randint(0, 90)])
    image, labels = Image.new("L", (page.width, page.height), paper), np.zeros((page.height, page.width), np.uint8)
    pen, centers = ImageDraw.Draw(image), {}
    for block in page.blocks:
        if block.fill:
            _picture(pen, block.box, block.fill[0], rng)
        for x0, y0, x1, y1, width in block.rules:
            pen.line((x0, y0, x1, y1), fill=ink, width=width)
        if block.dark is not None:
            x, y = round(block.box[0]), round(block.box[1])
            image.paste(ink, (x, y), Image.fromarray(block.dark))
            labels[y:y + block.dark.shape[0], x:x + block.dark.shape[1]] = UNKNOWN
        for line in block.all_lines():
            _line(pen, line, ink, paper, labels, centers, typesetting)
    return image, labels, centers


def _line(pen, line, ink, paper, labels, centers, typesetting):
    face, base = line.face, line.baseline
    rows = lambda base: slice(max(0, round(base - 0.76 * face.size)), max(0, round(base + 0.22 * face.size)))
    x0, _, x1, _ = line.box
    labels[rows(base), max(0, round(x0)):max(0, round(x1))] = BLANK
    for index, word in enumerate(line.words):
        at, drawn, black = (word.x, base), word.text, round(ink + (paper - ink) * word.pale)
        if typesetting:
            at, drawn, black = typesetting.place(word.x, base), typesetting.shown(word.text, face), typesetting.ink(black, paper)
        pen.text(at, drawn, fill=black, font=face.font, anchor="ls")
        advances = [face.width(c) for c in word.text]
        scale, x, places = face.width(word.text) / max(1e-6, sum(advances)), word.x, []
        for c, advance in zip(word.text, advances):
            end = x + advance * scale
            labels[rows(at[1]), max(0, round(x)):max(0, round(end))] = CLASSES.get(c, BLANK)
            places.append(((x + end) / 2, at[1] - 0.3 * face.size))
            x = end
        centers[id(line), index] = places


def _picture(pen, box, ground, rng):
    pen.rectangle(box, fill=ground, outline=rng.choice([0, 80, ground]))
    for _ in range(rng.randint(2, 9)):
        x = sorted(rng.uniform(box[0], box[2]) for _ in range(2))
        y = sorted(rng.uniform(box[1], box[3]) for _ in range(2))
        shape = rng.choice([pen.ellipse, pen.rectangle])
        shape((x[0], y[0], x[1], y[1]), fill=rng.randint(40, 255), outline=rng.choice([0, 128]))


def transform(size, angle, x_scale, y_scale):
    """Coefficients that take a point of the output to the input: rotation about the center after scaling."""
    width, height = size
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    cx, cy = width / 2, height / 2
    # output -> centered -> rotated -> input pixels
    a, b, d, e = c / x_scale, s / x_scale, -s / y_scale, c / y_scale
    return (a, b, cx / x_scale - a * cx - b * cy, d, e, cy / y_scale - d * cx - e * cy)


def forward(points, coefficients):
    """Points of the input in the output."""
    a, b, c, d, e, f = coefficients
    matrix = np.linalg.inv(np.array([[a, b], [d, e]]))
    return (points - np.array([c, f])) @ matrix.T


def degrade(image, rng, level):
    """level: 0 clean, 1 light, 2 heavy (a bad scan). Same size."""
    if level == 0:
        return image
    if rng.random() < 0.5:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.7 if level == 1 else 1.2)))
    pixels = np.asarray(image, np.float32)
    seed = np.random.default_rng(rng.getrandbits(32))
    if rng.random() < 0.4:  # low contrast
        low, high = rng.uniform(0, 60 * level), rng.uniform(255 - 50 * level, 255)
        pixels = low + pixels * (high - low) / 255
    if rng.random() < 0.3:  # uneven light
        ramp = np.linspace(-1, 1, pixels.shape[1], dtype=np.float32) * rng.uniform(-20, 20) * level
        pixels = pixels + ramp + np.linspace(-1, 1, pixels.shape[0], dtype=np.float32)[:, None] * rng.uniform(-15, 15) * level
    if rng.random() < 0.6:
        pixels = pixels + seed.standard_normal(pixels.shape, np.float32) * rng.uniform(1, 9 * level)
    if level == 2 and rng.random() < 0.3:  # specks
        spots = seed.random(pixels.shape, np.float32)
        pixels = np.where(spots < 0.002, 0, np.where(spots > 0.998, 255, pixels))
    image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    if rng.random() < 0.4:
        file = io.BytesIO()
        image.save(file, "JPEG", quality=rng.randint(30 if level == 2 else 60, 92))
        image = Image.open(io.BytesIO(file.getvalue())).convert("L")
    return image
