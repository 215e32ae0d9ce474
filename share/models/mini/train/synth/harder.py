"""What real scans do to a page: each step takes and gives a gray image of one size, so that places stay what they were.

Pages of a hard kind are drawn with `Typesetting` (how each word stands and how black it is), then go through `scan`."""

import io
import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from . import fonts


class Typesetting:
    """How words are set: off the line, along a bent line, with ligatures. All zero: as the composer placed them."""

    def __init__(self, rng, page):
        self.rng, self.width = rng, page.width
        kind = rng.random()
        self.jitter = rng.uniform(0.2, 1.2) if kind < 0.2 else 0.0  # typewriter: pixels up and down, word by word
        self.fade = rng.uniform(0, 0.35) if kind < 0.35 else 0.0  # uneven ink, share of the contrast
        self.bend = rng.uniform(-5, 5) if 0.2 < kind < 0.4 else 0.0  # the bow of a line at its middle, pixels
        self.turn = rng.uniform(0, 2 * math.pi)
        self.ligatures = rng.random() < 0.5

    def place(self, x, base):
        bow = self.bend * math.sin(math.pi * x / self.width + self.turn)
        return x, base + bow + (self.rng.uniform(-self.jitter, self.jitter) if self.jitter else 0)

    def ink(self, ink, paper):
        return round(ink + (paper - ink) * self.rng.uniform(0, self.fade)) if self.fade else ink

    def shown(self, text, face):
        """The text as it is drawn: fi and fl as one sign where the font has it."""
        if self.ligatures and "f" in text:
            for two, one in (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ")):
                if two in text and fonts.has(face.path, one):
                    text = text.replace(two, one)
        return text


def _noise(rng):
    return np.random.default_rng(rng.getrandbits(32))


def strokes(image, rng):
    """Bolder or thinner: a part of the darkest or lightest neighbour."""
    other = image.filter(ImageFilter.MinFilter(3) if rng.random() < 0.6 else ImageFilter.MaxFilter(3))
    return Image.blend(image, other, rng.uniform(0.15, 0.6))


def coarse(image, rng):
    """As from a scanner of fewer dots: down and up again."""
    share = rng.uniform(0.5, 0.85)
    small = image.resize((max(1, round(image.width * share)), max(1, round(image.height * share))), Image.BOX)
    return small.resize(image.size, rng.choice([Image.BICUBIC, Image.BILINEAR]))


def black_and_white(image, rng):
    """Broken or touching letters: a fax, or a scan in two levels, somewhat smoothed by scaling."""
    pixels = np.asarray(image.filter(ImageFilter.GaussianBlur(rng.uniform(0, 0.6))), np.float32)
    pixels = pixels + _noise(rng).standard_normal(pixels.shape, np.float32) * rng.uniform(2, 22)
    low, high = np.percentile(pixels, [1, 90])
    cut = low + (high - low) * rng.uniform(0.38, 0.72)
    image = Image.fromarray(np.where(pixels > cut, 255, 0).astype(np.uint8))
    return image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 0.8)))


def photocopy(image, rng):
    """Specks in clouds, a dark edge, streaks along the drum."""
    seed, pixels = _noise(rng), np.asarray(image, np.float32).copy()
    height, width = pixels.shape
    cloud = np.asarray(Image.fromarray(seed.integers(0, 255, (4, 4), np.uint8)).resize((width, height), Image.BICUBIC), np.float32) / 255
    pixels[seed.random(pixels.shape, np.float32) < 0.006 * cloud * rng.random()] = rng.randint(0, 90)
    if rng.random() < 0.4:
        edge = rng.randint(2, 12)
        side = rng.randrange(4)
        np.rot90(pixels, side)[:edge] *= np.linspace(rng.uniform(0, 0.5), 1, edge, dtype=np.float32)[:, None]
    for _ in range(rng.choice([0, 0, 1, 3])):
        x = rng.randrange(width)
        pixels[:, x:x + rng.randint(1, 2)] *= rng.uniform(0.5, 0.95)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def bleed_through(image, rng):
    """The other side of the sheet: another part of the page, mirrored and pale."""
    other = image.transpose(Image.FLIP_LEFT_RIGHT).filter(ImageFilter.GaussianBlur(rng.uniform(0.8, 2.5)))
    other = Image.fromarray(np.roll(np.asarray(other), (rng.randrange(image.height), rng.randrange(image.width)), (0, 1)))
    paper = float(np.percentile(np.asarray(image), 95))
    share = rng.uniform(0.05, 0.22)
    return Image.fromarray(np.clip(np.asarray(image, np.float32) - share * np.clip(paper - np.asarray(other, np.float32), 0, None), 0, 255).astype(np.uint8))


def dots(image, rng):
    """Dot matrix: ink only on a grid of round dots."""
    step = rng.choice([3, 3, 4])
    y, x = np.mgrid[:image.height, :image.width]
    near = np.hypot(x % step - (step - 1) / 2, y % step - (step - 1) / 2)
    gap = np.clip((near - step * 0.36) * 2, 0, 1) * rng.uniform(0.4, 0.8)
    pixels = np.asarray(image, np.float32)
    return Image.fromarray((pixels + (np.percentile(pixels, 95) - pixels).clip(0) * gap).astype(np.uint8))


def marks(image, rng):
    """A stamp, a stroke of a pen, a rule through the text; paler than ink, so that what is under it can be read."""
    over = Image.new("L", image.size, 255)
    pen = ImageDraw.Draw(over)
    for _ in range(rng.randint(1, 3)):
        x, y, gray = rng.randrange(image.width), rng.randrange(image.height), rng.randint(90, 200)
        size = rng.uniform(20, 140)
        kind = rng.random()
        if kind < 0.35:
            pen.ellipse((x - size, y - size * 0.7, x + size, y + size * 0.7), outline=gray, width=rng.randint(1, 4))
        elif kind < 0.5:
            pen.rectangle((x - size, y - size * 0.3, x + size, y + size * 0.3), outline=gray, width=rng.randint(1, 4))
        else:
            angle = rng.gauss(0, 0.15) if kind < 0.8 else rng.uniform(0, math.pi)
            dx, dy = 2 * size * math.cos(angle), 2 * size * math.sin(angle)
            pen.line((x - dx, y - dy, x + dx, y + dy), fill=gray, width=rng.randint(1, 3))
    return Image.fromarray(np.minimum(np.asarray(image), np.asarray(over.filter(ImageFilter.GaussianBlur(0.6)))))


def jpeg(image, rng):
    file = io.BytesIO()
    image.save(file, "JPEG", quality=rng.randint(25, 90))
    return Image.open(io.BytesIO(file.getvalue())).convert("L")


# (step, chance), in the order in which they happen to a page: printed, used, copied, scanned.
STEPS = ((dots, 0.05), (strokes, 0.3), (marks, 0.15), (bleed_through, 0.15), (photocopy, 0.3), (coarse, 0.3),
         (black_and_white, 0.2), (jpeg, 0.35))


def scan(image, rng):
    for step, chance in STEPS:
        if rng.random() < chance:
            image = step(image, rng)
    return image
