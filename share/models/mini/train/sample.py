"""One training sample: a canvas of whole visual tokens, its truth, and where each character was read."""

import math
import random

import numpy as np
from PIL import Image

import markup
from synth import harder, poppler, render
from synth.page import Composer

TOKEN_PX = 28  # a visual token's side: 2 x 2 patches of 14 pixels
EM_PX = 24  # the size of letters that docspec shows: text_px of docspec.json
SLOTS_X, SLOTS_Y = 6, 2  # label samples in a visual token


def make(rng, prose, rows, columns, kind, held_out_fonts=False, level=None, random_share=None, em=None, hard=False,
         formulas=None):
    """kind: crop | one | plain | two | news | contents. hard: set and scanned as in harder.py, or, of whole pages, drawn by
    Poppler as docspec draws them. formulas: synth.formulas.Formulas that pages have among their blocks. Returns a dict with image (28 rows x 28 columns, uint8), labels
    (rows, columns, 12) classes, truth str, cell int array: the visual token of each character of the truth, -1 for markup."""
    composer = Composer(rng, prose, held_out_fonts, em, random_share, formulas)
    out_width, out_height = columns * TOKEN_PX, rows * TOKEN_PX
    shown = 1.0  # pixels of the image for one that is drawn
    if kind == "crop" and em is None:  # docspec scales a region by the width of its letters; a tenth off is usual
        shown = math.exp(rng.uniform(math.log(0.6), math.log(1.7)))
        composer.em = max(9, round(min(31, max(17, rng.gauss(EM_PX, 2.5))) / composer.breadth() / shown))
    # The image processor rounds each side to whole tokens: compose at a size that it would bring here.
    width = round((out_width + (rng.randint(-13, 13) if columns > 2 else rng.randint(-8, 13))) / shown)
    height = round((out_height + (rng.randint(-9, 13) if rows == 1 else rng.randint(-13, 13))) / shown)
    page = composer.crop(width, height) if kind == "crop" else composer.page(width, height, kind)
    typesetting = harder.Typesetting(rng, page) if hard and rng.random() < 0.5 else None
    digital = hard and not typesetting and kind != "crop" and rng.random() < 0.4
    image, labels, centers = render.draw(page, rng, typesetting)
    level = rng.choices([0, 1, 2], [3, 4, 3])[0] if level is None else level
    angle = rng.uniform(-0.9, 0.9) * level / 2 if level and rng.random() < 0.4 else 0
    warp = render.transform((out_width, out_height), angle, out_width / width, out_height / height)
    if digital:
        drawn = poppler.draw(page, (out_width, out_height), rng)
        angle, level, digital = (0, 0, True) if drawn else (angle, level, False)
        warp = render.transform((out_width, out_height), angle, out_width / width, out_height / height)
    if hard and not digital and rng.random() < 0.7:
        image = harder.scan(image, rng)
    if digital:
        image = drawn
    elif kind == "crop":  # a scan is scaled as it is
        image = render.degrade(image, rng, level).resize((out_width, out_height), Image.BICUBIC)
        turn = render.transform(image.size, angle, 1, 1)
        image = image.transform(image.size, Image.AFFINE, turn, Image.BICUBIC, fillcolor=image.getpixel((0, 0))) if angle else image
    else:
        size = out_width, out_height
        image = (image.transform(size, Image.AFFINE, warp, Image.BICUBIC, fillcolor=image.getpixel((0, 0))) if angle
                 else image.resize(size, Image.BICUBIC))  # the same, twice as fast
        image = render.degrade(image, rng, level)

    def glyph_positions(glyphs):  # where each stands in the image; not a number for markup
        points = [centers[id(line), word][k] if line is not None else (np.nan, np.nan) for _, line, word, k in glyphs]
        return render.forward(np.array(points, np.float64).reshape(-1, 2), warp)

    if kind == "crop":
        truth = crop_truth(page)
        moved = glyph_positions(truth)
    else:
        truth, moved = page_truth(page, warp, (out_width, out_height), glyph_positions)
    inside = np.isfinite(moved[:, 0])
    column = np.clip(np.nan_to_num(moved[:, 0]) // TOKEN_PX, 0, columns - 1).astype(np.int32)
    row = np.clip(np.nan_to_num(moved[:, 1]) // TOKEN_PX, 0, rows - 1).astype(np.int32)
    cell = np.where(inside, row * columns + column, -1).astype(np.int32)
    return {"image": np.asarray(image, np.uint8), "labels": slots(labels, warp, rows, columns),
            "truth": "".join(c for c, *_ in truth), "cell": cell, "page": page, "warp": warp}


def formulas(rng, store, those, tokens, hard=0.0):
    """(samples, rows, columns) of about `tokens` visual and text tokens: formulas of one size of canvas, or text with formulas, as
    docspec cuts them out; `those`: which of the store's."""
    em = min(31, max(17, rng.gauss(EM_PX, 2)))
    rows, columns = store.canvas(rng, those, em, 700)
    out, size = [], (columns * TOKEN_PX, rows * TOKEN_PX)
    for place in store.fitting(rng, those, rows, columns, em, max(4, min(400, round(tokens / (rows * columns + 40))))):
        image, truth = store.draw(rng, *place)
        if rng.random() < hard * 0.7:
            image = harder.scan(image, rng)
        image = render.degrade(image, rng, rng.choices([0, 1, 2], [3, 4, 3])[0]).resize(size, Image.BICUBIC)
        if rng.random() < 0.3:
            angle = rng.uniform(-0.8, 0.8)
            image = image.transform(size, Image.AFFINE, render.transform(size, angle, 1, 1), Image.BICUBIC, fillcolor=image.getpixel((0, 0)))
        out.append({"image": np.asarray(image, np.uint8), "truth": truth, "cell": np.full(len(truth), -1, np.int32)})
    return out, rows, columns


def crop_truth(page):
    """What the region stage asks for: the text alone; tables in the page's markup."""
    out = []
    for block in page.blocks:
        if out:
            out.append(("\n", None, 0, 0))
        out += block.truth(markup=block.category in ("Table", "List-item"))
    return out


def box_in_image(box, warp, size):
    """The box around a block's corners in the image, pixels, not beyond its edges."""
    x0, y0, x1, y1 = box
    corners = render.forward(np.array([(x0, y0), (x1, y0), (x0, y1), (x1, y1)], float), warp).clip(0, np.array(size) - 1)
    return [*corners.min(0), *corners.max(0)]


def page_truth(page, warp, size, glyph_positions):
    """The answer to the page prompt (markup.py) as glyphs, and where each is read from: a coordinate where its edge is."""
    out, moved = [], [np.zeros((0, 2))]
    for block in page.blocks:
        box = box_in_image(block.box, warp, size)
        glyphs = [] if block.category == "Picture" else block.truth(markup=False)
        at = glyph_positions(glyphs)
        drawn = at[np.isfinite(at[:, 0])]
        drawn = drawn if len(drawn) else np.array(box).reshape(2, 2)
        edges = [drawn[drawn[:, 0].argmin()], drawn[drawn[:, 1].argmin()], drawn[drawn[:, 0].argmax()], drawn[drawn[:, 1].argmax()]]
        pieces = [(markup.KIND_TOKENS[block.category], drawn[0])] + [
            (markup.COORDINATE_TOKENS[markup.coordinate(v)], e) for v, e in zip(box, edges)]
        for text, point in pieces[:3]:
            out += [(c, None, 0, 0) for c in text]
            moved.append(np.tile(point, (len(text), 1)))
        out += glyphs
        moved.append(at)
        for text, point in pieces[3:]:
            out += [(c, None, 0, 0) for c in text]
            moved.append(np.tile(point, (len(text), 1)))
    return out, np.concatenate(moved)


def slots(labels, warp, rows, columns):
    """Classes at a grid of 2 x 6 points in each visual token: (rows, columns, 12)."""
    x = (np.arange(columns * SLOTS_X) + 0.5) * TOKEN_PX / SLOTS_X
    y = (np.arange(rows * SLOTS_Y) + 0.5) * TOKEN_PX / SLOTS_Y
    a, b, c, d, e, f = warp
    gx, gy = np.meshgrid(x, y)
    sx, sy = np.floor(a * gx + b * gy + c).astype(int), np.floor(d * gx + e * gy + f).astype(int)
    inside = (sx >= 0) & (sy >= 0) & (sx < labels.shape[1]) & (sy < labels.shape[0])
    found = np.where(inside, labels[np.clip(sy, 0, labels.shape[0] - 1), np.clip(sx, 0, labels.shape[1] - 1)], 0)
    return found.reshape(rows, SLOTS_Y, columns, SLOTS_X).transpose(0, 2, 1, 3).reshape(rows, columns, -1).astype(np.uint8)


def seeded(*numbers):
    return random.Random("/".join(map(str, numbers)))
