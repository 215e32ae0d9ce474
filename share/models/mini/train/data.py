"""Batches of one size each, made by worker processes from (seed, number of the batch)."""

import os

import numpy as np
import torch
from tokenizers import Tokenizer

import sample
from synth.text import paragraphs

TOKENIZER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tokenizer.json")
IGNORE = -100
SET_BY_TEX = ("formula", "within")  # kinds of crops: formulas, and text with formulas

# Share of each kind of canvas: (kind, rows, columns, weight); rows * columns stays under `most`.
MIXES = {
    "see": [("crop", (1, 2), (6, 26), 4), ("crop", (2, 10), (8, 28), 6)],
    "read": [("crop", (1, 2), (6, 26), 5), ("crop", (2, 6), (8, 24), 5)],
    "blocks": [("crop", (1, 2), (6, 28), 2.5), ("crop", (2, 8), (8, 28), 5), ("crop", (6, 14), (14, 38), 2.5)],
    # Wide crops of many rows, where the reader loses its place: 3 % wrong on one row of 28 columns, 14 % on six after "blocks".
    "wide": [("crop", (1, 2), (6, 30), 1.5), ("crop", (2, 8), (8, 30), 3), ("crop", (2, 8), (22, 34), 4.5), ("crop", (8, 14), (14, 38), 1)],
    # Pages, with crops so that none is forgotten. Small ones first: what is new is the markup and where the next line begins.
    "strips": [("crop", (2, 10), (14, 34), 3), ("plain", (6, 18), (14, 30), 2), ("one", (8, 20), (14, 30), 3), ("two", (10, 20), (26, 36), 1.5),
               ("contents", (6, 16), (16, 30), 0.5)],
    "halves": [("crop", (2, 12), (14, 36), 2.5), ("plain", (12, 36), (16, 44), 1.5), ("one", (14, 38), (16, 44), 3), ("two", (14, 36), (28, 44), 2),
               ("news", (14, 30), (28, 44), 0.6), ("contents", (10, 36), (18, 44), 0.4)],
    "pages": [("crop", (2, 14), (14, 38), 2), ("one", (12, 40), (16, 44), 2), ("one", (40, 72), (36, 51), 2.2), ("two", (36, 72), (36, 51), 3),
              ("news", (30, 72), (36, 51), 0.5), ("contents", (20, 60), (30, 51), 0.3), ("formula", (), (), 5), ("within", (), (), 5)],
}


class Batches(torch.utils.data.Dataset):
    """Batch number i of a mix: images (B, H, W) uint8, labels (B, tokens, slots), question id, text (B, m) ids with
    IGNORE padding, and the visual tokens that each text token was read from, first and last (B, m), -1 for none. Of crops that
    TeX has set (synth/formulas.py) no characters at points are known: labels is None."""

    def __init__(self, seed, mix, tokens, most, length, tokenizer=None, prose=None, hard=0.0, formulas=None):
        self.seed, self.tokens, self.most, self.length, self.formulas = seed, tokens, most, length, formulas
        self.mix = [m for m in MIXES[mix] if formulas or m[0] not in SET_BY_TEX]
        self.hard = hard  # share of the samples that are set and scanned as in synth/harder.py
        self.prose, self.tokenizer = prose or paragraphs(held_out=False), tokenizer or Tokenizer.from_file(TOKENIZER)

    def __len__(self):
        return self.length

    def __getitem__(self, number):
        rng = sample.seeded(self.seed, number)
        kind, rows, columns, _ = rng.choices(self.mix, [m[3] for m in self.mix])[0]
        if kind in SET_BY_TEX:
            those = self.formulas.alone if kind == "formula" else self.formulas.within
            made, h, w = sample.formulas(rng, self.formulas, those, self.tokens, self.hard)
            return collate(made, self.tokenizer, h, w, kind)
        while True:
            h, w = rng.randint(*rows), rng.randint(*columns)
            if h * w <= self.most:
                break
        count = max(1, round(self.tokens / (h * w)))
        made = [sample.make(rng, self.prose, h, w, kind, hard=bool(self.hard) and rng.random() < self.hard,
                            formulas=self.formulas) for _ in range(count)]
        return collate(made, self.tokenizer, h, w, kind)


def question(made, kind):
    if kind == "formula":
        return "<|read_formula|>"
    if kind == "within":
        return "<|read_text|>"
    if kind != "crop":
        return "<|read_page|>"
    return "<|read_table|>" if made["page"].blocks and made["page"].blocks[0].category == "Table" else "<|read_text|>"


def collate(samples, tokenizer, rows, columns, kind):
    encoded = [tokenizer.encode(s["truth"]) for s in samples]
    longest = max(len(e.ids) for e in encoded)
    text = np.full((len(samples), longest), IGNORE, np.int64)
    first, last = np.full(text.shape, -1, np.int64), np.full(text.shape, -1, np.int64)
    for i, (made, e) in enumerate(zip(samples, encoded)):
        text[i, :len(e.ids)] = e.ids
        for j, (begin, end) in enumerate(e.offsets):
            cells = made["cell"][begin:end]
            cells = cells[cells >= 0]
            if len(cells):
                first[i, j], last[i, j] = cells[0], cells[-1]
    return {"images": torch.from_numpy(np.stack([s["image"] for s in samples])),
            "labels": None if kind in SET_BY_TEX else torch.from_numpy(
                np.stack([s["labels"] for s in samples]).reshape(len(samples), rows * columns, -1)),
            "questions": torch.tensor([tokenizer.token_to_id(question(s, kind)) for s in samples]),
            "text": torch.from_numpy(text), "first": torch.from_numpy(first), "last": torch.from_numpy(last),
            "rows": rows, "columns": columns, "truth": [s["truth"] for s in samples]}


def loader(dataset, start, workers):
    return torch.utils.data.DataLoader(dataset, batch_size=None, sampler=range(start, len(dataset)), num_workers=workers,
                                       pin_memory=torch.cuda.is_available(),
                                       prefetch_factor=(8 if workers == 1 else 2) if workers else None)


def with_repeats(batches, repeats, seed, kept=200):
    """Each new batch, then on average repeats - 1 of the last `kept`: where drawing pages is slower than training on them."""
    rng, pool = sample.seeded("repeats", seed), []
    for batch in batches:
        yield batch
        pool.append(batch)
        if len(pool) > kept:
            pool.pop(rng.randrange(kept))
        if len(pool) > 8:
            for _ in range(repeats - 1):
                yield rng.choice(pool)
