"""Tiny random LightOnOCR checkpoints in both layouts. The Hub's one calls itself mistral3, has rope_theta in both towers'
configs and patches of the image processor that are twice the tower's."""

import json
from pathlib import Path

import torch
from transformers import (AutoProcessor, LightOnOcrConfig, LightOnOcrForConditionalGeneration, LightOnOcrProcessor,
                          PixtralImageProcessor, PixtralVisionConfig, Qwen2Tokenizer, Qwen3Config)

from .qwen2_5_vl import fill_random
from .tokenizer import SPECIAL, make_tokenizer
from .weights import save_tensors

FAMILY = "lighton_ocr"
QUESTION = ""
PATCH = 14
TEMPLATE = ("<|im_start|>system<|im_end|>\n{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
            "{% for part in message['content'] %}{% if part['type'] == 'image' %}<|image_pad|>"
            "{% elif 'text' in part %}{{ part['text'] }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
            "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")


def tiny_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    vocab = (tokenizer.get_vocab_size() + 63) // 64 * 64
    text = Qwen3Config(vocab_size=vocab, hidden_size=64, intermediate_size=160, num_hidden_layers=3, num_attention_heads=4,
                       num_key_value_heads=2, head_dim=32, max_position_embeddings=4096, rms_norm_eps=1e-6,
                       tie_word_embeddings=tied, bos_token_id=special["<|endoftext|>"], eos_token_id=special["<|im_end|>"],
                       rope_parameters={"rope_type": "default", "rope_theta": [1e6, 1e4, 500.0][seed % 3]})
    vision = PixtralVisionConfig(hidden_size=64, intermediate_size=136, num_hidden_layers=3, num_attention_heads=4,
                                 head_dim=16, image_size=280, patch_size=PATCH, hidden_act="silu")
    return LightOnOcrConfig(text_config=text, vision_config=vision, tie_word_embeddings=tied,
                            image_token_id=special["<|image_pad|>"])


def hub_config(config, dtype):
    """config.json as published."""
    d = config.to_dict()
    text = {k: d["text_config"][k] for k in (
        "attention_bias", "bos_token_id", "eos_token_id", "head_dim", "hidden_act", "hidden_size", "intermediate_size",
        "max_position_embeddings", "model_type", "num_attention_heads", "num_hidden_layers", "num_key_value_heads",
        "rms_norm_eps", "use_cache", "vocab_size")} | {"rope_theta": d["text_config"]["rope_parameters"]["rope_theta"]}
    vision = {k: d["vision_config"][k] for k in (
        "head_dim", "hidden_act", "hidden_size", "image_size", "intermediate_size", "model_type", "num_attention_heads",
        "num_channels", "num_hidden_layers", "patch_size")} | {"rope_theta": 10000.0}
    return {"architectures": ["LightOnOCRForConditionalGeneration"], "model_type": "mistral3", "text_config": text,
            "vision_config": vision, "torch_dtype": dtype, "image_token_id": d["image_token_id"],
            "spatial_merge_size": 2, "tie_word_embeddings": d["tie_word_embeddings"]}


def make_processor(tokenizer, layout):
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>",
                          extra_special_tokens={"image_token": "<|image_pad|>", "image_break_token": "<|vision_pad|>",
                                                "image_end_token": "<|vision_end|>"})
    side = PATCH if layout == "nested" else 2 * PATCH
    image = PixtralImageProcessor(size={"longest_edge": 280}, patch_size={"height": side, "width": side})
    return LightOnOcrProcessor(image, fast, patch_size=PATCH, spatial_merge_size=2, chat_template=TEMPLATE)


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer()
    config = tiny_config(tokenizer, seed, tied)
    model = LightOnOcrForConditionalGeneration(config)
    fill_random(model, seed)
    for name, p in model.named_parameters():
        if "q_norm" in name:  # as in qwen3_vl.py
            p.data *= 3
    model = model.to(getattr(torch, dtype))
    save_tensors(folder, {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
                          if not (tied and n == "lm_head.weight")}, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    write("generation_config.json", {"eos_token_id": config.text_config.eos_token_id, "temperature": 0.2})
    processor = make_processor(tokenizer, layout)
    config.architectures = ["LightOnOcrForConditionalGeneration"]
    config.dtype = getattr(torch, dtype)
    config.save_pretrained(folder)
    processor.save_pretrained(folder)
    if layout == "hub":
        write("config.json", hub_config(config, dtype))
        stored = json.loads((folder / "processor_config.json").read_text())
        write("preprocessor_config.json", stored.pop("image_processor"))
        write("processor_config.json", stored)


def load(folder, dtype="float32"):
    folder = Path(folder)
    config = json.loads((folder / "config.json").read_text())
    for section in ("text_config", "vision_config"):
        part = config[section]
        if "rope_theta" in part:
            kind = "axial" if section == "vision_config" else "default"
            part["rope_parameters"] = {"rope_type": kind, "rope_theta": part.pop("rope_theta")}
    config = {k: v for k, v in config.items() if k not in ("model_type", "architectures", "torch_dtype")}
    model = LightOnOcrForConditionalGeneration.from_pretrained(folder, config=LightOnOcrConfig(**config),
                                                               dtype=getattr(torch, dtype))
    return model.eval(), AutoProcessor.from_pretrained(folder)
