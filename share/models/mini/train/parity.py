"""The same greedy ids from transformers and from docspec, region crops of held-out pages:
python parity.py --docspec build/release/bin/docspec --model FOLDER --pages 10 [--dtype f32|bf16]"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import torch
from PIL import Image
from tokenizers import Tokenizer
from transformers import Qwen2_5_VLForConditionalGeneration, Qwen2VLImageProcessor

import sample
from evaluate import drafts_json
from synth.text import paragraphs


def of_transformers(model, processor, ids, image, most):
    made = processor(image.convert("RGB"), return_tensors="pt")
    visual = int(made["image_grid_thw"].prod()) // 4
    prompt = [ids["<|im_start|>"], ids["<|vision_start|>"]] + [ids["<|image_pad|>"]] * visual + [ids["<|vision_end|>"], ids["<|read_text|>"]]
    prompt = torch.tensor([prompt])
    with torch.no_grad():
        out = model.generate(input_ids=prompt, attention_mask=torch.ones_like(prompt), mm_token_type_ids=(prompt == ids["<|image_pad|>"]).int(),
                             pixel_values=made["pixel_values"].to(model.dtype), image_grid_thw=made["image_grid_thw"], do_sample=False,
                             max_new_tokens=most)
    said = out[0, prompt.shape[1]:].tolist()
    return said[:-1] if said and said[-1] == ids["<|im_end|>"] else said


def as_it_is(folder, to):
    """The model in `to` shown images as they are: transformers knows nothing of how docspec sets scans level and even."""
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("train"))
    with open(f"{to}/docspec.json") as file:
        asked = json.load(file)
    with open(f"{to}/docspec.json", "w") as file:
        json.dump(asked | {"even_light": False, "level_crops": False}, file)
    return to


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--docspec", required=True)
    p.add_argument("--model", required=True)
    p.add_argument("--pages", type=int, default=10)
    p.add_argument("--most", type=int, default=200)
    p.add_argument("--dtype", default="f32", choices=["f32", "bf16"])
    args = p.parse_args()
    model = Qwen2_5_VLForConditionalGeneration.from_pretrained(args.model, dtype={"f32": torch.float32, "bf16": torch.bfloat16}[args.dtype]).eval()
    processor = Qwen2VLImageProcessor.from_pretrained(args.model)
    tokenizer = Tokenizer.from_file(os.path.join(args.model, "tokenizer.json"))
    ids = {t.content: i for i, t in tokenizer.get_added_tokens_decoder().items()}
    prose, equal = paragraphs(held_out=True), 0
    with tempfile.TemporaryDirectory() as folder:
        shown = as_it_is(args.model, f"{folder}/model")
        for number in range(args.pages):
            rng = sample.seeded("parity", number)
            made = sample.make(rng, prose, rng.randint(2, 8), rng.randint(12, 30), "crop", level=number % 3)
            image, png = Image.fromarray(made["image"]), f"{folder}/{number}.png"
            image.save(png, dpi=(150, 150))
            drafts = drafts_json(png, [made], [[]])  # no words: shown as it is
            for region in drafts["pages"][0]["regions"]:
                region["bbox"], region["category"] = [0, 0, image.width, image.height], "Text"
            for key in ("regions", "drafts"):
                drafts["pages"][0][key] = drafts["pages"][0][key][:1]
            with open(f"{folder}/drafts.json", "w") as file:
                json.dump(drafts, file)
            done = subprocess.run([args.docspec, "convert", png, "--model", shown, "--preset", "plain", "--stages", "region", "--dtype", args.dtype,
                                   "--draft", f"replay:{folder}/drafts.json", "--max-new-tokens", str(args.most), "--trace", f"{folder}/trace", "-o", f"{folder}/out.md", "-q"],
                                  stderr=subprocess.PIPE, text=True)
            if done.returncode not in (0, 3):
                raise SystemExit(done.stderr)
            with open(f"{folder}/trace") as file:
                ours = json.loads(file.readline())["output_ids"]
            theirs = of_transformers(model, processor, ids, image, args.most)
            ours = [i for i in ours if i != ids["<|im_end|>"]]
            same = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
            equal += ours == theirs
            print(json.dumps({"page": number, "ids": len(theirs), "equal": same, "text": tokenizer.decode(ours)[:60]}))
    print(f"{args.dtype}: {equal} of {args.pages} equal in all ids")
    return 0 if equal == args.pages or args.dtype == "bf16" else 1


if __name__ == "__main__":
    sys.exit(main())
