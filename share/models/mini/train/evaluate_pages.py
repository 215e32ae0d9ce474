"""Errors of the page prompt on held-out synthetic pages, one decode a page.

python evaluate_pages.py --weights FOLDER --pages 4 --out errors-read-pages.json            by the Python network
python evaluate_pages.py --docspec BINARY --model FOLDER --pages 4 --out ...                by docspec, page stage alone

FOLDER of --weights holds pages-*.safetensors. Unseen seeds and text; by layout, degradation and seen or unseen fonts, and
region crops beside them. --log: the curve of errors against training, out of log-pages.jsonl."""

import argparse
import html
import json
import os
import re
import subprocess
import tempfile

import numpy as np
import torch
from rapidfuzz.distance import Levenshtein

import data
import errors
import evaluate
import markup
import network
import pages
import reader
import sample
import tokenizer as tokenizers_
import train
from synth.text import paragraphs


class Network:
    """Reads with the Python network."""

    def __init__(self, folder, device):
        self.tokenizer, self.device = tokenizers_.for_pages(data.TOKENIZER), device
        self.special = train.special_ids(self.tokenizer)
        found = pages.load_parts(folder)
        if not found:
            raise SystemExit(f"{folder}: no pages-*.safetensors; make_pages leaves them in its --runs folder")
        shape = "pages" if "model.layers.6.input_layernorm.weight" in found[0] else "pages-small"
        self.model = network.Reader(network.SHAPES[shape], train.CLASS_COUNT, train.SLOTS)
        network.load(self.model, found[0])
        self.model.to(device).eval()
        self.trained = {k: found[1][k] for k in ("step", "characters", "cpu")}

    def texts(self, made, rows, columns, kind):
        questions = torch.tensor([self.tokenizer.token_to_id(data.question(s, kind)) for s in made])
        longest = int(max(len(self.tokenizer.encode(s["truth"]).ids) for s in made) * 1.4) + 16
        images = torch.from_numpy(np.stack([s["image"] for s in made]))
        said = reader.read(self.model, images, questions, self.special, longest, rows, columns)
        return [self.tokenizer.decode(ids, skip_special_tokens=False) for ids in said]

    def pages(self, made, rows, columns, kind):
        return [markup.parse(text) for text in self.texts(made, rows, columns, kind)]


class Binary:
    """Reads with docspec: the page stage alone, without drafts."""

    def __init__(self, docspec, model):
        self.docspec, self.model, self.trained = docspec, model, None

    def pages(self, made, rows, columns, kind):
        with tempfile.TemporaryDirectory() as folder:
            tiff, out = os.path.join(folder, "pages.tiff"), os.path.join(folder, "out.json")
            evaluate.write_tiff(made, tiff)
            done = subprocess.run([self.docspec, "convert", tiff, "--model", self.model, "--preset", "plain", "--stages", "page",
                                   "-o", out, "-q", "--force"], stderr=subprocess.PIPE, text=True)
            if done.returncode not in (0, 3):
                raise SystemExit(done.stderr)
            with open(out) as file:
                return [self.blocks(page, one) for page, one in zip(json.load(file)["pages"], made)]

    @staticmethod
    def blocks(page, made):
        """docspec's blocks as markup.parse gives them; boxes from docspec's pixels to patches of the image drawn."""
        scale, out = made["image"].shape[1] / page["width"], []
        for block in page["blocks"]:
            text = block.get("text") or ""
            if block.get("html"):
                rows = [re.findall(r"(?s)<t[dh][^>]*>(.*?)</t[dh]>", row) for row in re.split(r"</tr>", block["html"])]
                text = "\n".join("| " + " | ".join(html.unescape(re.sub("<[^>]+>", "", c)) for c in row) + " |" for row in rows if row)
            x0, y0, x1, y1 = (v * scale for v in block["bbox"])
            out.append((block["category"], [markup.coordinate(v) for v in (x0, y0, x1 - 1, y1 - 1)], text))
        return out


def held_out(seed, kind, level, new_fonts, count, rows, columns, prose):
    for number in range(count):
        rng = sample.seeded("evaluate pages", seed, kind, level, new_fonts, number, rows)
        yield sample.make(rng, prose, rows, columns, kind, new_fonts, level, random_share=0.08)


def curve(log):
    """[{step, characters, cpu_seconds, errors ...}] of a training's log."""
    out, spent = [], 0
    with open(log) as file:
        for line in map(json.loads, file):
            spent += line.get("cpu_seconds", 0)
            if any(key.startswith("cer_") for key in line):
                out.append(line | {"cpu_seconds": round(spent)})
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--weights", help="folder of pages-*.safetensors, read by the Python network")
    p.add_argument("--docspec")
    p.add_argument("--model", help="checkpoint folder for --docspec")
    p.add_argument("--pages", type=int, default=2, help="of each kind, degradation and font set")
    p.add_argument("--kinds", default="plain,one,two")
    p.add_argument("--rows", type=int, default=36, help="height of a page in visual tokens")
    p.add_argument("--columns", type=int, default=30)
    p.add_argument("--crops", type=int, default=4, help="region crops of each degradation and font set; with --weights")
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--prose", help="prose.json.gz of carry.py; made from what is installed otherwise")
    p.add_argument("--log", help="log-pages.jsonl of the training")
    p.add_argument("--out", required=True)
    args = p.parse_args()
    torch.set_num_threads(args.threads)
    read = Binary(args.docspec, args.model) if args.docspec else Network(args.weights, args.device)
    prose, rows = paragraphs(True, args.prose), []
    for kind in args.kinds.split(","):
        for level, name in enumerate(evaluate.LEVELS):
            for new_fonts in (False, True):
                made = list(held_out(args.seed, kind, level, new_fonts, args.pages, args.rows, args.columns, prose))
                found = [errors.of_page(said, markup.parse(one["truth"]))
                         for said, one in zip(read.pages(made, args.rows, args.columns, kind), made)]
                rows.append({"kind": kind, "degradation": name, "fonts": "unseen" if new_fonts else "seen"} | errors.summary(found))
                print(json.dumps(rows[-1]), flush=True)
    for level, name in enumerate(evaluate.LEVELS if args.crops and args.weights else ()):
        for new_fonts in (False, True):
            made = list(held_out(args.seed, "crop", level, new_fonts, args.crops, 3, 28, prose))
            wrong = sum(Levenshtein.distance(a, s["truth"]) for a, s in zip(read.texts(made, 3, 28, "crop"), made))
            count = sum(len(s["truth"]) for s in made)
            rows.append({"kind": "crop", "degradation": name, "fonts": "unseen" if new_fonts else "seen", "characters": count, "cer": round(wrong / count, 4)})
            print(json.dumps(rows[-1]), flush=True)
    with open(args.out, "w") as file:
        told = {k: v for k, v in vars(args).items() if k not in ("out", "log", "prose") and v is not None}
        json.dump({"command": "evaluate_pages.py " + " ".join(f"--{k} {v}" for k, v in told.items()), "trained": read.trained,
                   "rows": rows} | ({"curve": curve(args.log)} if args.log else {}), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
