"""The same drafts from docspec and from the layer in Python, f32, region crops of held-out pages:
python parity_further.py --docspec build/release/bin/docspec --model FOLDER --pages 10      (FOLDER: made by further.py)

Compared are the drafts of each pass as far as docspec verified them: those it accepted and the first one it refused."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import torch
from PIL import Image

import data
import further
import sample
from evaluate import drafts_json
from parity import as_it_is
from synth.text import paragraphs
from train import special_ids


def of_docspec(docspec, model, folder, made):
    """The answer's ids and, of each pass: how many tokens were known, drafted, accepted and which was refused (or None)."""
    image = Image.fromarray(made["image"])
    image.save(f"{folder}/page.png", dpi=(150, 150))
    drafts = drafts_json("page.png", [made], [[]])
    page = drafts["pages"][0]
    page["regions"], page["drafts"] = page["regions"][:1], page["drafts"][:1]
    page["regions"][0] |= {"bbox": [0, 0, image.width, image.height], "category": "Text"}
    with open(f"{folder}/drafts.json", "w") as file:
        json.dump(drafts, file)
    command = [docspec, "convert", f"{folder}/page.png", "--model", model, "--stages", "region", "--dtype", "f32", "--batch", "1", "--max-nodes",
               "64", "--propose", f"mtp:tokens={further.PLACES},pays=0", "--draft", f"replay:{folder}/drafts.json", "--max-new-tokens", "200",
               "--trace", f"{folder}/trace", "--explain", f"{folder}/explain", "-o", f"{folder}/out.md", "-q", "--force"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(done.stderr)
    with open(f"{folder}/trace") as trace, open(f"{folder}/explain") as explain:
        told, refused = json.loads(trace.readline()), json.loads(explain.readline())["refused"]
    refusals, passes, known = {r["position"]: r["proposed"] for r in refused}, [], 1
    for step in told["steps"]:
        passes.append((known, step["rows"] - 1, step["accepted"], refusals.get(known + step["accepted"])))
        known += step["accepted"] + 1
    return told["output_ids"], passes


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--docspec", required=True)
    p.add_argument("--model", required=True)
    p.add_argument("--pages", type=int, default=10)
    args = p.parse_args()
    torch.set_num_threads(1)
    dataset = data.Batches("parity", "wide", 1000, 1000, 1)
    special = special_ids(dataset.tokenizer) | {"<|image_pad|>": dataset.tokenizer.token_to_id("<|image_pad|>")}
    question = torch.tensor([dataset.tokenizer.token_to_id("<|read_text|>")])
    model, layer = further.load(args.model)
    prose, compared, unequal = paragraphs(held_out=True), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        shown = as_it_is(args.model, f"{folder}/model")
        for number in range(args.pages):
            rng = sample.seeded("parity", number)
            rows, columns = rng.randint(2, 8), rng.randint(12, 30)
            made = sample.make(rng, prose, rows, columns, "crop", level=number % 3)
            said, passes = of_docspec(args.docspec, shown, folder, made)
            ids, hidden, first, angles = further.seen(model, torch.tensor(made["image"])[None], question, torch.tensor([said]), special, rows,
                                                      columns, further.PLACES, torch.float32)
            with torch.no_grad():
                drafted = torch.stack([place["logits"][0].argmax(-1) for place in layer(model, ids, hidden, first, angles, further.PLACES, own=True)], 1)
            for known, rows_of_drafts, accepted, refused in passes:
                ours = said[known:known + accepted] + ([] if refused is None else [refused])
                compared += len(ours)
                unequal += sum(a != b for a, b in zip(ours, drafted[known - 1].tolist()))
            print(json.dumps({"page": number, "passes": len(passes), "ids": len(said), "compared": compared, "unequal": unequal}), flush=True)
    print(f"{compared - unequal} of {compared} drafts equal")
    return int(unequal > 0 or compared == 0)


if __name__ == "__main__":
    sys.exit(main())
