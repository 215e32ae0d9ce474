"""The same greedy ids from transformers and from the Python network in f32, pages and crops:
python parity_pages.py --model FOLDER --pages 10       (FOLDER: made by ship.py)"""

import argparse
import json
import sys

import torch
from safetensors.torch import load_file
from transformers import Qwen2_5_VLForConditionalGeneration

import data
import network
import reader
import sample
import tokenizer as tokenizers_
import train
from synth.text import paragraphs


def of_transformers(model, image, question, special, pad, most):
    """Greedy ids of a gray image (H, W) uint8 as it is."""
    h, w = image.shape[0] // network.PATCH, image.shape[1] // network.PATCH
    pixels = torch.from_numpy(image).float() / 127.5 - 1
    # patches in blocks of 2 x 2, each three channels of two frames
    patches = pixels.view(h // 2, 2, network.PATCH, w // 2, 2, network.PATCH).permute(0, 3, 1, 4, 2, 5).reshape(h * w, 1, -1)
    patches = patches.expand(-1, 6, -1).reshape(h * w, -1)
    prompt = [special["<|im_start|>"], special["<|vision_start|>"]] + [pad] * (h * w // 4) + [special["<|vision_end|>"], question]
    prompt = torch.tensor([prompt])
    with torch.no_grad():
        out = model.generate(input_ids=prompt, attention_mask=torch.ones_like(prompt), mm_token_type_ids=(prompt == pad).int(),
                             pixel_values=patches, image_grid_thw=torch.tensor([[1, h, w]]), do_sample=False, max_new_tokens=most)
    said = out[0, prompt.shape[1]:].tolist()
    return said[:-1] if said and said[-1] == special["<|im_end|>"] else said


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--model", required=True, help="a folder that ship.py made")
    p.add_argument("--pages", type=int, default=4)
    p.add_argument("--most", type=int, default=80)
    p.add_argument("--prose", help="prose.json.gz of carry.py")
    args = p.parse_args()
    torch.set_num_threads(1)
    tokenizer = tokenizers_.for_pages(data.TOKENIZER)
    special, pad = train.special_ids(tokenizer), tokenizer.token_to_id("<|image_pad|>")
    tensors = load_file(args.model + "/model.safetensors")
    ours = network.Reader(network.SHAPES["pages" if "model.layers.6.input_layernorm.weight" in tensors else "pages-small"])
    network.load(ours, tensors)
    ours.eval()
    theirs = Qwen2_5_VLForConditionalGeneration.from_pretrained(args.model, dtype=torch.float32).eval()
    prose, equal = paragraphs(True, args.prose), 0
    for number in range(args.pages):
        rng, kind = sample.seeded("parity pages", number), ("one", "crop", "two", "plain")[number % 4]
        rows, columns = (rng.randint(8, 14), rng.randint(20, 30)) if kind != "crop" else (3, 20)
        made = sample.make(rng, prose, rows, columns, kind)
        question = tokenizer.token_to_id(data.question(made, kind))
        mine = reader.read(ours, torch.from_numpy(made["image"][None].copy()), torch.tensor([question]), special, args.most, rows, columns,
                           dtype=torch.float32)[0]
        other = of_transformers(theirs, made["image"].copy(), question, special, pad, args.most)
        equal += mine == other
        same = next((i for i, (a, b) in enumerate(zip(mine, other)) if a != b), min(len(mine), len(other)))
        print(json.dumps({"kind": kind, "ids": len(other), "equal": same, "text": tokenizer.decode(mine, skip_special_tokens=False)[:80]}), flush=True)
    print(f"{equal} of {args.pages} equal in all ids")
    return 0 if equal == args.pages else 1


if __name__ == "__main__":
    sys.exit(main())
