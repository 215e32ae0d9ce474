"""What the net is told about each line; drafts/detector/line_features.cc computes the same."""

import math
import re
import statistics

import numpy as np

CATEGORIES = ("Title", "Section-header", "Text", "List-item", "Table", "Formula", "Picture", "Caption", "Footnote",
              "Page-header", "Page-footer", "Code")
CAPTION_WORDS = {"figure", "fig", "table", "tab", "listing", "algorithm", "plate", "chart", "scheme", "abbildung", "tabelle",
                 "tableau"}
BULLETS = set("•◦▪■●○–—-*‣►➢✓·∙")
COUNT = 36


class Line:
    def __init__(self, box, size, text, bold, mono, rough):
        self.box, self.size, self.text = box, size, text
        self.bold, self.mono, self.rough = bold, mono, rough


def clamp(v, low, high):
    return max(low, min(high, v))


def body_size(lines):
    total, seen = sum(len(l.text) for l in lines), 0
    for line in sorted(lines, key=lambda l: l.size):
        seen += len(line.text)
        if seen * 2 >= total:
            return line.size
    return 1.0


def text_features(text):
    shown = [c for c in text if c != " "]
    count = max(1, len(shown))
    words = text.split(" ")
    first = words[0] if words else ""
    bare = first.rstrip(".:").lower()
    second = words[1] if len(words) > 1 else ""
    return [
        min(len(text), 200) / 100, min(len(words), 30) / 15,
        sum("0" <= c <= "9" for c in shown) / count,
        sum("A" <= c <= "Z" for c in shown) / count,
        sum("a" <= c <= "z" for c in shown) / count,
        sum(ord(c) >= 128 for c in shown) / count,
        sum(c in "=+-/<>|*^_()[]{};" for c in shown) / count,
        float(text.endswith((".", "!", "?"))), float(text.endswith(":")), float(text.endswith((",", ";"))),
        float("A" <= text[:1] <= "Z"), float("a" <= text[:1] <= "z"), float("0" <= text[:1] <= "9"),
        float(len(first) == 1 and first in BULLETS and len(words) > 1),
        float(bool(re.fullmatch(r"[\(\[]?([0-9]{1,3}|[A-Za-z])[\.\)\]]", first))),
        float(bool(re.fullmatch(r"[0-9]+(\.[0-9]+)+\.?", first))),
        float(bare in CAPTION_WORDS and second[:1].isascii() and (second[:1].isdigit() or second[:1].isupper())),
    ]


def features(lines, width, height):
    """[n, COUNT] f32 of lines in any order; boxes are in pixels of a page of `width` x `height`."""
    body = max(1.0, body_size(lines))
    out = []
    for i, line in enumerate(lines):
        x0, y0, x1, y1 = line.box
        middle = (y0 + y1) / 2
        above = below = None  # nearest lines that share a part of the width
        mates = 0
        for j, other in enumerate(lines):
            if j == i:
                continue
            ox0, oy0, ox1, oy1 = other.box
            omiddle = (oy0 + oy1) / 2
            if abs(omiddle - middle) < 0.5 * line.size:
                mates += 1
                continue
            if min(x1, ox1) <= max(x0, ox0):
                continue
            if omiddle < middle and (above is None or omiddle > (above.box[1] + above.box[3]) / 2):
                above = other
            if omiddle > middle and (below is None or omiddle < (below.box[1] + below.box[3]) / 2):
                below = other

        def near(other):
            if other is None:
                return [1.0, 0.0, 0.0, 0.0]
            pitch = abs((other.box[1] + other.box[3]) / 2 - middle) / line.size
            return [clamp(pitch, 0, 5) / 5, clamp((x0 - other.box[0]) / body, -4, 4) / 4,
                    clamp((x1 - other.box[2]) / body, -8, 8) / 8, clamp(math.log(line.size / other.size), -1, 1)]

        out.append([x0 / width, x1 / width, middle / height, (x1 - x0) / width, abs(x0 + x1 - width) / width,
                    clamp(math.log(line.size / body), -1.5, 1.5), line.size / height * 50,
                    float(line.bold), float(line.mono), float(line.rough), min(mates, 5) / 5]
                   + text_features(line.text) + near(above) + near(below))
    return np.asarray(out, np.float32).reshape(len(lines), COUNT)
