"""Tiny random Unlimited-OCR checkpoints: transformers' configuration and model (5.23 and later), with the
Hub's config.json or transformers' own and, by turns, the Hub's tensor names or transformers'. The window
of even seeds is the true one of 128, of odd ones shorter, so that a tree is deeper than it."""

import json
import re
from pathlib import Path

import torch
from transformers import (Qwen2Tokenizer, UnlimitedOcrConfig, UnlimitedOcrForConditionalGeneration,
                          UnlimitedOcrImageProcessor, UnlimitedOcrProcessor)

from .deepseek_ocr2 import (BEGIN, END, PAD, PATCH, PROCESSOR, SIDE, SPECIAL, hub_config, hub_name, hub_tensors,
                            sam_config, text_config)
from .qwen2_5_vl import fill_random
from .tokenizer import make_tokenizer
from .weights import save_tensors

FAMILY = "unlimited_ocr"
QUESTION = "document parsing."
TILE = SIDE * 5 // 8
# Several pages in one prompt: the whole view alone, in a gray square as the true side of 1024 is (transformers
# stretches squares of up to 640 pixels).
PAGES_QUESTION = "Multi page parsing."
PAGES_SETTINGS = {"crop_to_patches": False, "maximum_pad_value": 0}
PAGES_WINDOW = 1024
CLIP = {"heads": 4, "image_size": 56, "layers": 2, "patch_size": 14, "width": 48}
NGRAM = {"no_repeat_ngram_size": 35, "no_repeat_ngram_window_size": 128}
TEMPLATE = ("{{ '" + BEGIN + "' }}{% for message in messages %}"
            "{% for part in message['content'] %}{% if part['type'] == 'image' %}{{ '<image>' }}"
            "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endfor %}")


def tiny_config(tokenizer, seed, tied):
    text = text_config(tokenizer, seed, tied)
    text |= {"mlp_layer_types": ["dense", "sparse", "sparse"], "sliding_window": [128, 24][seed % 2],
             "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}
    encoder = dict(hidden_size=CLIP["width"], intermediate_size=4 * CLIP["width"], num_hidden_layers=CLIP["layers"],
                   num_attention_heads=CLIP["heads"], image_size=CLIP["image_size"], patch_size=CLIP["patch_size"])
    sam = sam_config([32, CLIP["width"]]) | dict(image_size=SIDE, patch_size=PATCH, mlp_dim=4 * 32,
                                                 initializer_range=0.02)
    return UnlimitedOcrConfig(text_config=text, tie_word_embeddings=tied,
                              vision_config={"sam_config": sam, "encoder_config": encoder},
                              image_token_id=tokenizer.token_to_id("<image>"))


def published(tensors):
    """By the Hub's names; q, k and v of CLIP in one."""
    tensors = dict(tensors)
    for name in [n for n in tensors if re.search(r"vision_encoder.*\.q_proj\.", n)]:
        parts = [tensors.pop(name.replace("q_proj", part)) for part in ("q_proj", "k_proj", "v_proj")]
        tensors[name.replace("q_proj", "qkv_proj")] = torch.cat(parts)
    return hub_tensors({re.sub(r"vision_tower\.vision_encoder\.(encoder\.)?",
                               lambda m: "vision_model." + ("transformer." if m[1] else ""), n): t
                        for n, t in tensors.items()})


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(500, SPECIAL)
    config = tiny_config(tokenizer, seed, tied)
    model = UnlimitedOcrForConditionalGeneration(config)
    fill_random(model, seed)
    for name, p in model.named_parameters():
        if "language_model" in name and "q_proj.weight" in name:
            p.data *= 3
        elif "experts." in name:
            p.data *= (p[0].numel() / p.shape[-1]) ** 0.5
        elif "pos_embed" in name or "position_embedding" in name:
            p.data *= p[0].numel() ** 0.5
    model = model.to(getattr(torch, dtype))
    tensors = {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
               if not (tied and n == "lm_head.weight")}
    if layout == "hub" or seed % 2:
        tensors = published(tensors)
    save_tensors(folder, tensors, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    write("generation_config.json", {"bos_token_id": config.text_config.bos_token_id,
                                     "eos_token_id": config.text_config.eos_token_id})
    if layout == "nested":
        config.architectures = ["UnlimitedOcrForConditionalGeneration"]
        config.dtype = getattr(torch, dtype)
        config.save_pretrained(folder)
        make_processor(tokenizer).save_pretrained(folder)
        return
    towers = {"clip-l-14-224": CLIP, "sam_vit_b": {"downsample_channels": [32, CLIP["width"]]}}
    stored = hub_config(config.to_dict()["text_config"], towers, 2 * CLIP["width"], "UnlimitedOCRForCausalLM", dtype)
    write("config.json", stored | {"model_type": FAMILY, "sliding_window": config.text_config.sliding_window})
    write("processor_config.json", PROCESSOR)
    tokenizer.save(str(folder / "tokenizer.json"))


def make_processor(tokenizer):
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, bos_token=BEGIN, eos_token=END, pad_token=PAD,
                          extra_special_tokens=SPECIAL[3:])
    image = UnlimitedOcrImageProcessor(size={"height": SIDE, "width": SIDE}, tile_size=TILE)
    return UnlimitedOcrProcessor(image, fast, chat_template=TEMPLATE, patch_size=PATCH)


def load(folder, dtype="float32"):
    from tokenizers import Tokenizer
    folder = Path(folder)
    stored = json.loads((folder / "config.json").read_text())
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    text = stored.get("text_config") or stored["language_config"]
    config = tiny_config(tokenizer, 0, stored["tie_word_embeddings"])
    for key in ("n_routed_experts", "num_experts_per_tok"):
        setattr(config.text_config, key, text[key])
    config.text_config.sliding_window = text.get("sliding_window") or stored["sliding_window"]
    model, told = UnlimitedOcrForConditionalGeneration.from_pretrained(
        folder, config=config, dtype=getattr(torch, dtype), output_loading_info=True, attn_implementation="eager")
    assert not told["missing_keys"] and not told["unexpected_keys"], told
    model.generation_config.update(**NGRAM)
    model.generation_config.no_repeat_ngram_window_size = NGRAM["no_repeat_ngram_window_size"]
    return model.eval(), make_processor(tokenizer)
