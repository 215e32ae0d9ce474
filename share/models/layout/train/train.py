#!/usr/bin/env python3
"""Trains the layout net on synthetic pages and writes DIR/model.safetensors, config.json and the held-out figures.

    nice python3 train.py --out .. [--pages 3000] [--minutes 20] [--seed 1]

One thread; pages are drawn once (about 30 ms each) and read again with new noise in each epoch. Needs torch, Pillow,
fontTools, safetensors and the fonts of the built-in model's training."""

import argparse
import json
import os
import random
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pages  # noqa: E402
from features import CATEGORIES, COUNT, Line, features  # noqa: E402
from net import LayoutNet, to_gray  # noqa: E402
from synth import render  # noqa: E402
from synth.text import paragraphs  # noqa: E402


PAGES_A_STEP = 8


def drawn(rng, prose, held_out=False):
    """(gray [h, w] u8, [(box, size, text, bold, mono, category)]) of one page."""
    page = pages.make(rng, prose, held_out)
    image, _, _ = render.draw(page, rng)
    image = render.degrade(image, rng, rng.choice([0, 0, 1, 2]))
    lines = []
    for block in page.blocks:
        for line in block.all_lines():
            name = os.path.basename(line.face.path)
            text = " ".join(w.text for w in line.words)
            lines.append((line.box, line.face.size, text, "Bold" in name or "bold" in name,
                          any(m in name for m in pages.MONO), CATEGORIES.index(block.category)))
    return np.asarray(image, np.uint8), lines


def sample(image, lines, rng):
    """Tensors of one page as a drafter would see it: sizes and boxes are rougher after OCR."""
    rough = rng.random() < 0.4
    seen = []
    for box, size, text, bold, mono, _ in lines:
        jitter = 0.06 * size
        box = [v + rng.uniform(-jitter, jitter) for v in box]
        if rough:
            box[1] += 0.12 * size
            box[3] -= 0.1 * size * rng.random()
            size *= rng.lognormvariate(0, 0.06)
            bold, mono = bold if rng.random() < 0.85 else not bold, False
        seen.append(Line(box, max(1.0, size), text, bold, mono, rough))
    if rng.random() < 0.3:  # fonts whose names say nothing
        for line in seen:
            line.bold = line.mono = False
    height, width = image.shape
    scale = torch.tensor([width, height, width, height], dtype=torch.float32)
    boxes = torch.tensor([l.box for l in seen], dtype=torch.float32) / scale
    return torch.from_numpy(features(seen, width, height)), boxes, to_gray(image), torch.tensor([l[5] for l in lines])


def score(net, held):
    """Confusion [truth, found] over lines."""
    table = np.zeros((12, 12), int)
    rng = random.Random(5)
    with torch.no_grad():
        for image, lines in held:
            inputs = sample(image, lines, rng)
            for t, f in zip(inputs[3].tolist(), net(*inputs[:3]).argmax(1).tolist()):
                table[t, f] += 1
    return table


def f1(table):
    out = {}
    for c, name in enumerate(CATEGORIES):
        found, truth = table[:, c].sum(), table[c].sum()
        if truth:
            out[name] = round(2 * table[c, c] / (found + truth), 4)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate at the start; it falls to nothing")
    parser.add_argument("--resume", help="folder of weights to go on with")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    rng, begin = random.Random(args.seed), time.process_time()
    spent = lambda: (time.process_time() - begin) / 60
    prose = paragraphs(False)
    known = []
    while len(known) < args.pages and spent() < 0.3 * args.minutes:
        image, lines = drawn(rng, prose)
        if 2 <= len(lines) <= 250:
            known.append((image, lines))
    held_rng, held_prose, held = random.Random(99), paragraphs(True), []
    while len(held) < 60:
        image, lines = drawn(held_rng, held_prose, True)
        if 2 <= len(lines) <= 250:
            held.append((image, lines))
    print("%d pages drawn, %.1f min" % (len(known), spent()), flush=True)
    net = LayoutNet()
    if args.resume:
        net.load_state_dict(load_file(os.path.join(args.resume, "model.safetensors")))
    print("%d parameters" % sum(p.numel() for p in net.parameters()))
    counts = np.bincount([l[5] for _, lines in known for l in lines], minlength=12)
    weights = torch.tensor((counts / counts.sum() + 1e-3) ** -0.4, dtype=torch.float32)
    weights /= weights.mean()
    optimizer = torch.optim.AdamW(net.parameters(), args.rate, weight_decay=0.01)
    step, total = 0, None
    start = spent()
    while True:
        done = (spent() - start) / max(1e-6, args.minutes - start)
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 60) * max(0.02, 1 - done)
        optimizer.zero_grad()
        for _ in range(PAGES_A_STEP):
            inputs = sample(*rng.choice(known), rng)
            loss = F.cross_entropy(net(*inputs[:3]), inputs[3], weights, label_smoothing=0.03)
            (loss / PAGES_A_STEP).backward()
            total = loss.item() if total is None else 0.98 * total + 0.02 * loss.item()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 100 == 0:
            print("step %d loss %.3f %.1f min" % (step, total, spent()), flush=True)
        if step % 500 == 0:  # a run that is cut off keeps what it has
            finish(net, held, step, args, len(known), spent())
    finish(net, held, step, args, len(known), spent())


def finish(net, held, step, args, pages_drawn, minutes):
    """Writes weights and figures."""
    table = score(net, held)
    figures = {"lines_right": round(np.trace(table) / table.sum(), 4), "f1": f1(table), "held_out_pages": len(held),
               "held_out_lines": int(table.sum()), "training_pages": pages_drawn, "steps": step, "pages_a_step": PAGES_A_STEP,
               "cpu_minutes": round(minutes, 1), "seed": args.seed, "resumed": bool(args.resume)}
    print(json.dumps(figures), flush=True)
    os.makedirs(args.out, exist_ok=True)
    save_file({k: (v.half() if v.dim() > 1 else v).contiguous() for k, v in net.state_dict().items()}, os.path.join(args.out, "model.safetensors"))
    with open(os.path.join(args.out, "config.json"), "w", encoding="utf-8") as file:
        json.dump({"model_type": "docspec_layout", "features": COUNT, "categories": CATEGORIES, "trained": figures}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
