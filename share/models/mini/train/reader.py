"""Greedy reading with kept keys and values, and the errors of what was read: pages in the page prompt's markup."""

import torch
from rapidfuzz.distance import Levenshtein

import markup
import network

FURNITURE = ("Page-header", "Page-footer", "Picture")


class Kept:
    """Keys and values of all layers so far: one batch, grown by each step."""

    def __init__(self, model):
        self.model, self.kept = model, [None] * len(model.layers)

    def step(self, x, cos, sin, causal):
        """x (B, n, width) behind what is kept -> hidden states of its rows. `causal` only with nothing kept."""
        b, n, _ = x.shape
        shape = self.model.shape
        for i, layer in enumerate(self.model.layers):
            y = layer.norm1(x)
            part = lambda t, heads: t.view(b, n, heads, -1).transpose(1, 2)
            q = network.rotate(part(layer.q_proj(y), shape.heads), cos, sin)
            k = network.rotate(part(layer.k_proj(y), shape.kv_heads), cos, sin)
            v = part(layer.v_proj(y), shape.kv_heads)
            if self.kept[i] is not None:
                k, v = torch.cat((self.kept[i][0], k), 2), torch.cat((self.kept[i][1], v), 2)
            self.kept[i] = k, v
            group = shape.heads // shape.kv_heads
            out = network.attention(q, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1), causal)
            x = x + layer.o_proj(out.transpose(1, 2).reshape(b, n, -1))
            x = x + layer.mlp(layer.norm2(x))
        return self.model.norm(x)


@torch.no_grad()
def read(model, images, questions, special, longest, rows, columns, late=lambda: False):
    """Greedy token ids of each image of a batch (B, H, W) uint8, without the end token; at most `longest`. Raises
    TimeoutError as soon as `late()` is true."""
    device = model.norm.weight.device
    visual = model.vision(images.to(device).to(torch.bfloat16) / 127.5 - 1)
    count, many = visual.shape[:2]
    embed = lambda ids: model.embed_tokens(ids).to(visual.dtype)
    fixed = lambda name: torch.full((count, 1), special[name], device=device)
    x = torch.cat((embed(fixed("<|im_start|>")), embed(fixed("<|vision_start|>")), visual, embed(fixed("<|vision_end|>")),
                   embed(questions.to(device)[:, None])), 1)
    cos, sin = model.angles(2, rows, columns, 2 + longest, x)
    kept, n = Kept(model), x.shape[1]
    hidden = kept.step(x, cos[:n], sin[:n], True)
    said, done = [], torch.zeros(count, dtype=torch.bool, device=device)
    for at in range(n, n + longest):
        token = model.logits(hidden[:, -1]).argmax(1)
        done |= token == special["<|im_end|>"]
        if done.all():
            break
        if late():
            raise TimeoutError
        said.append(token)
        hidden = kept.step(embed(token[:, None]), cos[at:at + 1], sin[at:at + 1], False)
    rows_ = torch.stack(said, 1).tolist() if said else [[] for _ in range(count)]
    end = special["<|im_end|>"]
    return [ids[:ids.index(end)] if end in ids else ids for ids in rows_]


def plain(text):
    return " ".join(text.split())


def words_of(blocks):
    """The words of a page's blocks in order, without markup, headers and footers."""
    texts = [text.replace("|", " ").replace("---", " ") if category == "Table" else text
             for category, _, text in blocks if category not in FURNITURE]
    return plain(" ".join(texts))


def order(said, truth):
    """Kendall's tau of the order of blocks: each block of the truth stands where the block read that is most like it does;
    None for fewer than two."""
    texts = [(i, plain(t)) for i, (c, _, t) in enumerate(said) if t]
    places = []
    for category, _, text in truth:
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


def page_errors(said, truth):
    """Of one page, both in markup: {wrong, characters, order, boxes, ran_away}; boxes: mean overlap of the blocks found."""
    ours, theirs = markup.parse(said), markup.parse(truth)
    a, b = words_of(ours), words_of(theirs)
    found = [max((overlap(box, other) for _, other, _ in ours if other), default=0) for _, box, _ in theirs if box]
    return {"wrong": Levenshtein.distance(a, b), "characters": len(b), "order": order(ours, theirs),
            "boxes": sum(found) / len(found) if found else None, "ran_away": not 0.7 < (len(a) + 1) / (len(b) + 1) < 1.3}
