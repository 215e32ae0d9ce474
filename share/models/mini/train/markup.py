"""What the page prompt's answer looks like: blocks in reading order, each

    <|text|><|12|><|40|>words of the block<|98|><|52|>

its kind, the patch (14 pixels) of its left and upper edge, its text, the patch of its right and lower edge. Tables are
pipes, as in region crops. Pictures have no text."""

import re

from synth.page import CATEGORIES

PATCH = 14
PLACES = 196  # patches along a side, at most: 2,744 pixels
KIND_TOKENS = {category: f"<|{category.lower()}|>" for category in CATEGORIES}
PLACE_TOKENS = [f"<|{number}|>" for number in range(PLACES)]
TOKENS = [*KIND_TOKENS.values(), *PLACE_TOKENS]  # those that the tokenizer gets on top of its 2,048

_OPEN = re.compile("|".join(map(re.escape, KIND_TOKENS.values())))
_PLACE = re.compile(r"<\|(\d{1,3})\|>")
_CATEGORY = {token: category for category, token in KIND_TOKENS.items()}


def place(pixel):
    return min(PLACES - 1, max(0, int(pixel) // PATCH))


def parse(text):
    """[(category, [x0, y0, x1, y1] in patches or None, text)]; of a broken block what can be read."""
    out, starts = [], list(_OPEN.finditer(text))
    if text[:starts[0].start() if starts else None].strip():
        out.append(("Text", None, _PLACE.sub("", text[:starts[0].start() if starts else None]).strip()))
    for start, end in zip(starts, [*(s.start() for s in starts[1:]), len(text)]):
        body = text[start.end():end]
        places = [int(p) for p in _PLACE.findall(body)]
        out.append((_CATEGORY[start.group()], places if len(places) == 4 else None, _PLACE.sub("", body).strip()))
    return out
