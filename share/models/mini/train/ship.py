"""Makes a checkpoint folder of trained weights: python ship.py --shape mini --weights RUN/model.safetensors --to FOLDER
For the shapes that read pages, --weights is the folder of pages-*.safetensors.

The files are those of a Hugging Face repository; docspec.json holds what docspec alone asks of a model."""

import argparse
import json
import os
import shutil

import torch
from safetensors.torch import save_file

import data
import network
import pages
import tokenizer

MEAN = STD = [0.5, 0.5, 0.5]


def write(folder, name, value):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(value, file, indent=2, ensure_ascii=False)
        file.write("\n")


def ship(shape, weights, folder, page_tokens, text_px, card):
    os.makedirs(folder, exist_ok=True)
    whole_pages = os.path.isdir(weights)
    if whole_pages:
        model = network.Reader(shape)
        found, progress = pages.load_parts(weights)
        network.load(model, found)
        tensors = {name: t.to(torch.bfloat16).contiguous() for name, t in network.export(model).items()}
        counts = {k: str(progress[k]) for k in ("step", "characters", "seconds", "cpu")}  # training goes on from them
        save_file(tensors, os.path.join(folder, "model.safetensors"), {"format": "pt", **counts})
        words = json.loads(tokenizer.for_pages(data.TOKENIZER).to_str())
        with open(os.path.join(folder, "tokenizer.json"), "w", encoding="utf-8") as file:
            json.dump(words, file, ensure_ascii=False, separators=(",", ":"))
    else:
        shutil.copy(weights, os.path.join(folder, "model.safetensors"))
        if os.path.abspath(data.TOKENIZER) != os.path.abspath(os.path.join(folder, "tokenizer.json")):
            shutil.copy(data.TOKENIZER, os.path.join(folder, "tokenizer.json"))
    with open(data.TOKENIZER, encoding="utf-8") as file:
        ids = {t["content"]: t["id"] for t in json.load(file)["added_tokens"]}
    text, vision = network.hf_config(shape)
    text.pop("head_dim")
    write(folder, "config.json", {
        "architectures": ["Qwen2_5_VLForConditionalGeneration"], "model_type": "qwen2_5_vl", **text,
        "bos_token_id": ids["<|im_start|>"], "eos_token_id": ids["<|im_end|>"], "pad_token_id": ids["<|endoftext|>"],
        "image_token_id": ids["<|image_pad|>"], "video_token_id": ids["<|video_pad|>"],
        "vision_start_token_id": ids["<|vision_start|>"], "vision_end_token_id": ids["<|vision_end|>"],
        "vision_token_id": ids["<|image_pad|>"], "torch_dtype": "bfloat16", "vision_config": vision})
    write(folder, "generation_config.json", {"bos_token_id": ids["<|im_start|>"], "do_sample": False,
                                             "eos_token_id": ids["<|im_end|>"], "pad_token_id": ids["<|endoftext|>"]})
    token_px = network.PATCH * network.MERGE
    write(folder, "preprocessor_config.json", {
        "image_processor_type": "Qwen2VLImageProcessor", "processor_class": "Qwen2_5_VLProcessor", "image_mean": MEAN,
        "image_std": STD, "patch_size": network.PATCH, "merge_size": network.MERGE, "temporal_patch_size": 2,
        "min_pixels": 2 * token_px ** 2, "max_pixels": 4096 * token_px ** 2, "do_resize": True, "do_rescale": True,
        "do_normalize": True, "do_convert_rgb": True, "resample": 3, "rescale_factor": 1 / 255})
    write(folder, "tokenizer_config.json", {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>",
                                            "pad_token": "<|endoftext|>", "add_prefix_space": False,
                                            "clean_up_tokenization_spaces": False, "model_max_length": 8192})
    write(folder, "docspec.json", {
        "chat": "<|im_start|>{image}{question}", "image": "<|vision_start|><|image_pad|><|vision_end|>",
        "stop": ["<|im_end|>"], "dialect": "mini_page" if whole_pages else "mini",
        "questions": {"page": "<|read_page|>", "text": "<|read_text|>", "table": "<|read_table|>", "formula": "<|read_formula|>"},
        "page_tokens": page_tokens, "text_px": text_px, "even_light": True, "level_crops": True, "crop_lines": 3,
        "sources": {"all": "docspec's own model: see README.md in this folder"},
        **({"card": card} if card else {})})


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--shape", choices=network.SHAPES, default="mini")
    p.add_argument("--weights", required=True)
    p.add_argument("--to", required=True)
    p.add_argument("--page-tokens", type=int, default=0, help="most visual tokens of a page read at once; 0 = regions only")
    p.add_argument("--text-px", type=float, default=24, help="height of the letters' em that the model was trained for")
    p.add_argument("--card", help="JSON object of lines that `docspec model info` prints")
    a = p.parse_args()
    card = None
    if a.card:
        with open(a.card, encoding="utf-8") as file:
            card = json.load(file)
    ship(network.SHAPES[a.shape], a.weights, a.to, a.page_tokens, a.text_px, card)
