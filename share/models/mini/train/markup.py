"""What the page prompt's answer looks like: blocks in reading order, each

    <|text|><|12|><|40|>words of the block<|98|><|52|>

its kind, the patch (14 pixels) of its left and upper edge, its text, the patch of its right and lower edge. Tables are
pipes, as in region crops. Pictures have no text."""

import re

from synth.page import CATEGORIES

PATCH = 14
COORDINATES = 196  # patches along a side, at most: 2,744 pixels
KIND_TOKENS = {category: f"<|{category.lower()}|>" for category in CATEGORIES}
COORDINATE_TOKENS = [f"<|{number}|>" for number in range(COORDINATES)]
TOKENS = [*KIND_TOKENS.values(), *COORDINATE_TOKENS]  # those that the tokenizer gets on top of its 2,048

_OPEN = re.compile("|".join(map(re.escape, KIND_TOKENS.values())))
_COORDINATE = re.compile(r"<\|(\d{1,3})\|>")
_CATEGORY = {token: category for category, token in KIND_TOKENS.items()}


def coordinate(pixel):
    return min(COORDINATES - 1, max(0, int(pixel) // PATCH))


def parse(text):
    """[(category, [x0, y0, x1, y1] in patches or None, text)]; of a broken block what can be read."""
    out, starts = [], list(_OPEN.finditer(text))
    if text[:starts[0].start() if starts else None].strip():
        out.append(("Text", None, _COORDINATE.sub("", text[:starts[0].start() if starts else None]).strip()))
    for start, end in zip(starts, [*(s.start() for s in starts[1:]), len(text)]):
        body = text[start.end():end]
        box = [int(p) for p in _COORDINATE.findall(body)]
        out.append((_CATEGORY[start.group()], box if len(box) == 4 else None, _COORDINATE.sub("", body).strip()))
    return out
