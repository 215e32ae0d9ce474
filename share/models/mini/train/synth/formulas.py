"""Formulas, and text with formulas, that TeX has set (typeset.py), drawn as crops and as blocks of pages."""

import os

import numpy as np
from PIL import Image

import latex

POINT = 5  # pixels of a glyph's picture for a point
BODY = 10.2  # points of the letters' em
TOKEN_PX = 28


class Formulas:
    """The sets of a folder: texts, and how each is drawn."""

    def __init__(self, folder):
        glyphs = np.load(os.path.join(folder, "glyphs.npz"))
        shapes = glyphs["shapes"].astype(int)
        ends = np.concatenate([[0], np.cumsum(shapes[:, 0] * shapes[:, 1])])
        pixels = glyphs["pixels"] * np.uint8(17)
        self.pictures = [pixels[a:b].reshape(shape) for a, b, shape in zip(ends, ends[1:], shapes)]
        found = np.load(os.path.join(folder, "formulas.npz"))
        self.texts = found["texts"].tobytes().decode().split("\n")
        counts = found["counts"].astype(int)
        self.glyph_ends = np.concatenate([[0], np.cumsum(counts[:, 0])])
        self.bar_ends = np.concatenate([[0], np.cumsum(counts[:, 1])])
        kinds, corners = found["kinds"].astype(int), glyphs["corners"].astype(int)
        self.kinds, self.x, self.y = kinds, found["x"] + corners[kinds, 0], found["y"] + corners[kinds, 1]
        self.bars = found["bars"].astype(int)
        first, spans = self.glyph_ends[:-1], shapes[kinds]
        edges = [np.minimum.reduceat(self.x, first), np.minimum.reduceat(self.y, first),
                 np.maximum.reduceat(self.x + spans[:, 1], first), np.maximum.reduceat(self.y + spans[:, 0], first)]
        self.boxes = np.stack(edges, 1)
        with_bars = np.nonzero(counts[:, 1])[0]
        for n in with_bars:
            bars = self.bars[self.bar_ends[n]:self.bar_ends[n + 1]]
            self.boxes[n] = (min(self.boxes[n, 0], bars[:, 0].min()), min(self.boxes[n, 1], bars[:, 1].min()),
                             max(self.boxes[n, 2], (bars[:, 0] + bars[:, 2]).max()), max(self.boxes[n, 3], (bars[:, 1] + bars[:, 3]).max()))
        self.sizes = (self.boxes[:, 2:] - self.boxes[:, :2]).astype(np.float32) / POINT  # points
        numbers = [i for i, t in enumerate(self.texts) if t.startswith("(") and t.endswith(")") and t[1:-1].replace(".", "").isdigit()]
        self.numbers = numbers  # those that stand for an equation's number
        mixed = np.array([latex.is_text(t) for t in self.texts])
        self.alone, self.within = np.nonzero(~mixed)[0], np.nonzero(mixed)[0]  # formulas and numbers; text with formulas

    def ink(self, n):
        """Darkness (h, w) of formula `n`, POINT pixels for a point."""
        x0, y0, x1, y1 = self.boxes[n]
        out = np.zeros((y1 - y0, x1 - x0), np.uint8)
        for i in range(self.glyph_ends[n], self.glyph_ends[n + 1]):
            picture, x, y = self.pictures[self.kinds[i]], self.x[i] - x0, self.y[i] - y0
            part = out[y:y + picture.shape[0], x:x + picture.shape[1]]
            np.maximum(part, picture, out=part)
        for x, y, w, h in self.bars[self.bar_ends[n]:self.bar_ends[n + 1]]:
            out[y - y0:y - y0 + max(1, h), x - x0:x - x0 + w] = 255
        return out

    def canvas(self, rng, those, em, most):
        """(rows, columns) of the visual tokens that one of `those` takes with letters of `em` pixels."""
        while True:
            width, height = self.sizes[rng.choice(those)] * em / BODY
            rows, columns = max(1, round((height + 20) / TOKEN_PX)), max(1, round((width + 20) / TOKEN_PX))
            if rows * columns <= most and columns <= 56:
                return rows, columns

    def block(self, rng, em, width, room, within):
        """(darkness (h, w), truth) of a formula, or of text with formulas, for a column of `width` pixels; None if none was found."""
        for _ in range(40):
            n = rng.choice(self.within if within else self.alone)
            if not within and n in self.numbers:
                continue
            scale = em / BODY
            if within:  # a paragraph takes the column's width, a line is as long as it is
                scale *= min(1.12, max(0.9, width / (self.sizes[n, 0] * scale)))
            used = self.sizes[n] * scale
            if used[0] <= width + 1 and used[1] <= room and (used[0] > 0.8 * width or not within or used[1] < 2 * em):
                return np.asarray(shrunk(self.ink(n), scale)), self.texts[n]
        return None

    def fitting(self, rng, those, rows, columns, em, count):
        """[(number, size of the image, pixels for a point, left, top)] of those of `those` that about fill the canvas."""
        seed = np.random.default_rng(rng.getrandbits(32))
        some = seed.choice(those, 60_000)
        # The image processor rounds each side to whole tokens: drawn at a size that it would bring here.
        width = columns * TOKEN_PX + seed.integers(-13, 14, len(some))
        height = rows * TOKEN_PX + seed.integers(-9 if rows == 1 else -13, 14, len(some))
        margins = seed.uniform(3, 15, (2, len(some)))
        scale = np.minimum((width - 2 * margins[0]) / self.sizes[some, 0], (height - 2 * margins[1]) / self.sizes[some, 1])
        scale = np.minimum(scale, em / BODY * 1.4)
        used = self.sizes[some] * scale[:, None]
        good = (scale > em / BODY * 0.72) & (used[:, 0] > 0.62 * width - 24) & (used[:, 1] > 0.55 * height - 20)
        chosen = np.nonzero(good)[0][:count]
        places = [((width[i] - used[i, 0]) * seed.uniform(0.2, 0.8), (height[i] - used[i, 1]) * seed.uniform(0.2, 0.8)) for i in chosen]
        return [(int(some[i]), (int(width[i]), int(height[i])), float(scale[i]), *place) for i, place in zip(chosen, places)]

    def draw(self, rng, n, size, scale, left, top):
        """A gray image of `size`, and the truth."""
        width, height = size
        paper, ink = rng.choice([255, 255, 255, 250, 240, rng.randint(205, 255)]), rng.choice([0, 0, 0, 20, 60, rng.randint(0, 90)])
        dark = Image.new("L", size, 0)

        def put(n, x, y):
            small = shrunk(self.ink(n), scale)
            dark.paste(small, (round(x), round(y)))
            return small.width

        truth, used = self.texts[n], self.sizes[n] * scale
        room = width - used[0] - 2 * 6
        number = rng.choice(self.numbers) if self.numbers and rng.random() < 0.5 else None
        if number is not None and not latex.is_text(truth) and room > (self.sizes[number, 0] + 15) * scale:
            own = self.sizes[number] * scale
            left = rng.uniform(4, room - own[0] - 12 * scale)
            put(number, width - own[0] - rng.uniform(3, 8), min(max(2, top + used[1] * rng.choice([0.5, 0.5, 0.5, 0.8]) - own[1] / 2), height - own[1]))
            truth += rf"\tag{{{self.texts[number][1:-1]}}}"
        put(n, left, top)
        if rng.random() < 0.12:  # thicker or thinner strokes
            dark = dark.point(lambda v, p=rng.uniform(0.6, 1.6): int(255 * (v / 255) ** p))
        pixels = paper - (paper - ink) * (np.asarray(dark, np.float32) / 255)
        return Image.fromarray(pixels.astype(np.uint8)), truth


def shrunk(ink, scale):
    """A picture of `scale` pixels for a point."""
    size = [max(1, round(side * scale / POINT)) for side in ink.shape[::-1]]
    return Image.fromarray(ink).resize(size, Image.BOX if scale < POINT / 2 else Image.BILINEAR)
