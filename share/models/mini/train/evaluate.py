"""Character error rates on held-out synthetic pages, read by the docspec binary: plain greedy decoding.

python evaluate.py --docspec build/release/bin/docspec --model builtin --pages 6 --out errors.json [--whole-pages]

Unseen seeds and unseen text; by layout, degradation and seen or unseen fonts. Regions are cut at the true boxes; the size
of their letters is what docspec's own drafts say. Tesseract reads the same crops (--psm 6) for comparison.
--whole-pages: pages as docspec reads them, regions and their order its own; their words in order, without markup, headers
and footers; docspec's drafts of the same pages for comparison."""

import argparse
import html
import json
import os
import re
import subprocess
import tempfile

from PIL import Image
from rapidfuzz.distance import Levenshtein
from tokenizers import Tokenizer

import data
import sample
from synth.text import paragraphs

LEVELS = ("clean", "light", "heavy")
MARGIN_PX = 4


def boxes(page, warp):
    """Each block's box in the image, half-open pixels."""
    import numpy as np
    from synth.render import forward
    out = []
    for block in page.blocks:
        x0, y0, x1, y1 = block.box
        corners = forward(np.array([(x0, y0), (x1, y0), (x0, y1), (x1, y1)], float), warp)
        out.append([int(corners[:, 0].min()), int(corners[:, 1].min()), int(corners[:, 0].max()) + 1, int(corners[:, 1].max()) + 1])
    return out


def held_out_pages(kind, level, new_fonts, count, seed, rows=36, columns=30):
    prose = paragraphs(held_out=True)
    for number in range(count):
        rng = sample.seeded("evaluate", seed, kind, level, new_fonts, number)
        yield sample.make(rng, prose, rows, columns, kind, new_fonts, level, random_share=0.08)


def drafted_words(docspec, tiff, made):
    """The words that docspec drafts on each page, boxes in pixels of the image."""
    done = subprocess.run([docspec, "draft", tiff, "-q"], stdout=subprocess.PIPE, check=True)
    for one, page in zip(made, json.loads(done.stdout)["pages"]):
        scale = one["image"].shape[1] / page["width"]
        yield [word | {"bbox": [round(v * scale) for v in word["bbox"]]} for draft in page["drafts"] for word in draft.get("words", [])]


def stands_in(word, box):
    x, y = (word["bbox"][0] + word["bbox"][2]) / 2, (word["bbox"][1] + word["bbox"][3]) / 2
    return box[0] <= x < box[2] and box[1] <= y < box[3]


def drafts_json(name, made, words_of_pages):
    pages = []
    for number, (one, words) in enumerate(zip(made, words_of_pages), 1):
        height, width = one["image"].shape
        regions, drafts = [], []
        for order, (block, box) in enumerate(zip(one["page"].blocks, boxes(one["page"], one["warp"]))):
            box = [max(0, box[0]), max(0, box[1]), min(width, box[2]), min(height, box[3])]
            regions.append({"id": order, "order": order, "category": block.category, "bbox": box, "score": 1})
            if block.category != "Picture":  # where the text is, not what it says: plain decoding proposes nothing
                inside = [w for w in words if stands_in(w, box)]
                drafts.append({"region": order, "source": "words", "text": " ".join(w["text"] for w in inside) or "x", "confidence": 1,
                               "words": inside})
        pages.append({"page": number, "width": width, "height": height, "regions": regions, "drafts": drafts})
    return {"schema": "docspec-drafts/1", "source": {"file": name, "sha256": ""}, "pages": pages}


def truth_of(block):
    return "".join(c for c, *_ in block.truth(markup=block.category in ("Table", "List-item")))


def tally(into, said, truth):
    into["wrong"] += Levenshtein.distance(said, truth)
    into["characters"] += len(truth)


def write_tiff(made, path):
    images = [Image.fromarray(one["image"]) for one in made]
    images[0].save(path, save_all=True, append_images=images[1:], dpi=(150, 150))


FURNITURE = ("Page-header", "Page-footer", "Picture")


def true_words(page):
    cells = [cell for b in page.blocks if b.category not in FURNITURE for cell in ([b] if b.rows is None else b.cells())]
    return " ".join(" ".join(c if isinstance(c, str) else c.text(markup=False) for c in cells).split())


def read_pages(args, model, made, folder):
    """The words of each page as docspec reads it."""
    tiff, out = os.path.join(folder, "pages.tiff"), os.path.join(folder, "out.json")
    write_tiff(made, tiff)
    done = subprocess.run([args.docspec, "convert", tiff, "--model", model, "-o", out, "-q", "--force", *(["--preset", "plain", "--dtype", args.dtype] if model != "none" else [])],
                          stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(done.stderr)
    with open(out) as file:
        pages = json.load(file)["pages"]
    texts = [[html.unescape(re.sub(r"<[^>]+>", " ", b["html"])) if b.get("html") else b.get("text") or ""
              for b in page["blocks"] if b["category"] not in FURNITURE] for page in pages]
    return [" ".join(" ".join(text).split()) for text in texts]


def read(args, made, folder, tokenizer):
    """{(page, region): text} of docspec's region stage."""
    tiff, drafts, trace = (os.path.join(folder, n) for n in ("pages.tiff", "drafts.json", "trace.jsonl"))
    write_tiff(made, tiff)
    with open(drafts, "w") as file:
        json.dump(drafts_json("pages.tiff", made, drafted_words(args.docspec, tiff, made)), file)
    done = subprocess.run([args.docspec, "convert", tiff, "--model", args.model, "--preset", "plain", "--dtype", args.dtype, "--draft", "replay:" + drafts,
                           "--stages", "region", "--trace", trace, "-o", os.path.join(folder, "out.md"), "-q"],
                          stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(done.stderr)
    regions = {}
    with open(trace) as file:
        for record in map(json.loads, file):  # a tall region is read in parts, which follow each other
            regions.setdefault((record["page"], record["region"]), []).append(tokenizer.decode(record["output_ids"]).strip())
    return {key: " ".join(parts) for key, parts in regions.items()}


def tesseract(image, folder):
    path = os.path.join(folder, "crop.png")
    image.save(path, dpi=(150, 150))
    done = subprocess.run(["tesseract", path, "-", "--psm", "6"], capture_output=True, text=True,
                          env=os.environ | {"OMP_THREAD_LIMIT": "1"})
    return " ".join(done.stdout.split())


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--docspec", required=True)
    p.add_argument("--model", default="builtin")
    p.add_argument("--pages", type=int, default=4, help="pages of each kind, degradation and font set")
    p.add_argument("--kinds", default="plain,one,two")
    p.add_argument("--whole-pages", action="store_true")
    p.add_argument("--without-tesseract", action="store_true")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--dtype", default="auto", help="as docspec's")
    p.add_argument("--out", required=True)
    args = p.parse_args()
    tokenizer = Tokenizer.from_file(data.TOKENIZER)
    rows = []
    for kind in args.kinds.split(","):
        for level, name in enumerate(LEVELS):
            for new_fonts in (False, True):
                with tempfile.TemporaryDirectory() as folder:
                    made = list(held_out_pages(kind, level, new_fonts, args.pages, args.seed))
                    ours, theirs = {"wrong": 0, "characters": 0}, {"wrong": 0, "characters": 0}
                    ran_away = texts = 0
                    regions = {} if args.whole_pages else read(args, made, folder, tokenizer)
                    if args.whole_pages:
                        drafted = read_pages(args, "none", made, folder)
                        for one, said, draft in zip(made, read_pages(args, args.model, made, folder), drafted):
                            truth = true_words(one["page"])
                            tally(ours, said, truth)
                            tally(theirs, draft, truth)
                            texts, ran_away = texts + 1, ran_away + (not 0.7 < (len(said) + 1) / (len(truth) + 1) < 1.3)
                    for number, one in enumerate([] if args.whole_pages else made, 1):
                        image = Image.fromarray(one["image"])
                        for index, (block, box) in enumerate(zip(one["page"].blocks, boxes(one["page"], one["warp"]))):
                            if block.category == "Picture":
                                continue
                            said, truth = regions.get((number, index), ""), truth_of(block)
                            tally(ours, said, truth)
                            texts, ran_away = texts + 1, ran_away + (len(said) > 1.5 * len(truth) + 10 or len(said) < 0.5 * len(truth) - 10)
                            if not args.without_tesseract and block.category != "Table":
                                crop = image.crop((box[0] - MARGIN_PX, box[1] - MARGIN_PX, box[2] + MARGIN_PX, box[3] + MARGIN_PX))
                                tally(theirs, tesseract(crop, folder), truth_of(block).removeprefix("- "))
                    row = {"kind": kind, "degradation": name, "fonts": "unseen" if new_fonts else "seen", "texts": texts,
                           "characters": ours["characters"], "cer": round(ours["wrong"] / max(1, ours["characters"]), 4), "ran_away": ran_away}
                    if theirs["characters"]:
                        row["drafts_cer" if args.whole_pages else "tesseract_cer"] = round(theirs["wrong"] / theirs["characters"], 4)
                    rows.append(row)
                    print(json.dumps(row), flush=True)
    with open(args.out, "w") as file:
        json.dump({"command": "evaluate.py " + " ".join(f"--{k} {v}" for k, v in vars(args).items() if k != "out"), "rows": rows}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
