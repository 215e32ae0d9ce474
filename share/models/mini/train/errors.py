"""How far a page that was read is from the truth. A page is a list of blocks as markup.parse gives them: (category,
[x0, y0, x1, y1] in patches or None, text); tables are pipes."""

import types

from apted import APTED, Config
from rapidfuzz.distance import Levenshtein

FURNITURE = ("Page-header", "Page-footer", "Picture")


def plain(text):
    return " ".join(text.split())


def rows_of(pipes):
    """[[cell]] of a table in pipes, without the line under its head."""
    rows = [[plain(cell) for cell in line.strip().strip("|").split("|")] for line in pipes.split("\n") if line.strip()]
    return [row for row in rows if not all(cell and set(cell) <= set("-:") for cell in row)]


def words_of(blocks):
    """The words of a page's blocks in order, without markup, headers and footers."""
    texts = [" ".join(" ".join(row) for row in rows_of(text)) if category == "Table" else text
             for category, _, text in blocks if category not in FURNITURE]
    return plain(" ".join(texts))


def order(said, truth):
    """Kendall's tau of the order of blocks: each block of the truth stands where the block read that is most like it does;
    None for fewer than two."""
    texts = [(i, plain(text)) for i, (_, _, text) in enumerate(said) if text]
    places = []
    for _, _, text in truth:
        if not text or not texts:
            continue
        place, likeness = max(((i, Levenshtein.normalized_similarity(plain(text), t)) for i, t in texts), key=lambda p: p[1])
        if likeness > 0.5:
            places.append(place)
    pairs = [(a, b) for i, a in enumerate(places) for b in places[i + 1:]]
    return sum((a < b) - (a > b) for a, b in pairs) / len(pairs) if pairs else None


def overlap(a, b):
    """Intersection over union of two boxes in patches, first and last included."""
    w, h = min(a[2], b[2]) - max(a[0], b[0]) + 1, min(a[3], b[3]) - max(a[1], b[1]) + 1
    if w <= 0 or h <= 0:
        return 0.0
    area = lambda r: max(0, r[2] - r[0] + 1) * max(0, r[3] - r[1] + 1)
    return w * h / (area(a) + area(b) - w * h)


class _Costs(Config):
    def rename(self, one, other):
        if one.name != other.name:
            return 1
        return Levenshtein.normalized_distance(one.text, other.text)


def teds(said, truth):
    """Tree-edit-distance similarity (Zhong et al. 2020) of two tables in pipes: 1 for equal ones."""
    def tree(pipes):
        node = lambda name, children, text="": types.SimpleNamespace(name=name, children=children, text=text)
        rows = [node("tr", [node("td", [], cell) for cell in row]) for row in rows_of(pipes)]
        return node("table", rows), 1 + sum(1 + len(r.children) for r in rows)
    (a, n), (b, m) = tree(said), tree(truth)
    return 1 - APTED(a, b, _Costs()).compute_edit_distance() / max(n, m)


def tables(said, truth):
    """TEDS of each table of the truth with the table read that is most like it, 0 where none was read."""
    ours = [text for category, _, text in said if category == "Table"]
    return [max((teds(o, text) for o in ours), default=0.0) for category, _, text in truth if category == "Table"]


def of_page(said, truth):
    """{wrong, characters, order, boxes, tables, ran_away}. boxes: mean overlap of the truth's blocks with the best box
    read; ran_away: the text is more than three tenths longer or shorter than the truth."""
    a, b = words_of(said), words_of(truth)
    best = [max((overlap(box, other) for _, other, _ in said if other), default=0) for _, box, _ in truth if box]
    return {"wrong": Levenshtein.distance(a, b), "characters": len(b), "order": order(said, truth),
            "boxes": sum(best) / len(best) if best and any(box for _, box, _ in said) else None,
            "tables": tables(said, truth), "ran_away": not 0.7 < (len(a) + 1) / (len(b) + 1) < 1.3}


def mean(values):
    known = [v for v in values if v is not None]
    return round(sum(known) / len(known), 4) if known else None


def summary(found):
    """The figures of several pages' errors."""
    return {"pages": len(found), "characters": sum(f["characters"] for f in found),
            "cer": round(sum(f["wrong"] for f in found) / max(1, sum(f["characters"] for f in found)), 4),
            "order": mean(f["order"] for f in found), "boxes": mean(f["boxes"] for f in found),
            "teds": mean(t for f in found for t in f["tables"]), "ran_away": sum(f["ran_away"] for f in found)}
