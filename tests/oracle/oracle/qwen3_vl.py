"""Tiny random Qwen3-VL checkpoints in both layouts. The Hub's one is nested as well, with
rope_scaling and rope_theta, torch_dtype, and the image processor in a file of its own."""

import json
from pathlib import Path

import torch
from transformers import (AutoProcessor, Qwen2Tokenizer, Qwen2VLImageProcessor, Qwen3VLConfig,
                          Qwen3VLForConditionalGeneration, Qwen3VLProcessor, Qwen3VLVideoProcessor)

from .qwen2_5_vl import fill_random
from .tokenizer import CHAT_TEMPLATE, SPECIAL, make_tokenizer
from .weights import save_tensors

FAMILY = "qwen3_vl"
QUESTION = "qwenvl html"
PIXELS = {"shortest_edge": 64 * 64, "longest_edge": 32 * 32 * 60}
MEAN = [0.5, 0.5, 0.5]
TEMPLATE = CHAT_TEMPLATE.replace(
    "{% if loop.first and message['role'] != 'system' %}"
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n{% endif %}", "")


def tiny_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    vocab = (tokenizer.get_vocab_size() + 63) // 64 * 64
    # A head that is not hidden / heads, as in the 4B model.
    text = dict(vocab_size=vocab, hidden_size=64, intermediate_size=160, num_hidden_layers=4,
                num_attention_heads=4, num_key_value_heads=2, head_dim=32,
                max_position_embeddings=4096, rms_norm_eps=1e-6, tie_word_embeddings=tied,
                bos_token_id=special["<|endoftext|>"], eos_token_id=special["<|im_end|>"],
                rope_parameters={"rope_type": "default", "mrope_interleaved": True,
                                 "mrope_section": [6, 5, 5],
                                 "rope_theta": [5e6, 1e4, 500.0][seed % 3]})
    vision = dict(depth=4, hidden_size=64, intermediate_size=136, num_heads=4, out_hidden_size=64,
                  num_position_embeddings=36, deepstack_visual_indexes=[0, 2])
    return Qwen3VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=tied,
                         image_token_id=special["<|image_pad|>"],
                         video_token_id=special["<|video_pad|>"],
                         vision_start_token_id=special["<|vision_start|>"],
                         vision_end_token_id=special["<|vision_end|>"])


def hub_config(config, dtype):
    """config.json as published."""
    d = config.to_dict()
    text = {k: d["text_config"][k] for k in (
        "attention_bias", "attention_dropout", "bos_token_id", "eos_token_id", "head_dim",
        "hidden_act", "hidden_size", "initializer_range", "intermediate_size",
        "max_position_embeddings", "model_type", "num_attention_heads", "num_hidden_layers",
        "num_key_value_heads", "rms_norm_eps", "use_cache", "vocab_size")}
    rope = dict(d["text_config"]["rope_parameters"])
    text |= {"dtype": dtype, "rope_theta": rope.pop("rope_theta"), "rope_scaling": rope}
    if d["tie_word_embeddings"]:
        text["tie_word_embeddings"] = True
    vision = {k: d["vision_config"][k] for k in (
        "deepstack_visual_indexes", "depth", "hidden_act", "hidden_size", "in_channels",
        "initializer_range", "intermediate_size", "num_heads", "num_position_embeddings",
        "out_hidden_size", "patch_size", "spatial_merge_size", "temporal_patch_size")}
    out = {"architectures": ["Qwen3VLForConditionalGeneration"], "model_type": FAMILY,
           "text_config": text, "vision_config": vision | {"model_type": FAMILY},
           "torch_dtype": dtype}
    for key in ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id",
                "tie_word_embeddings"):
        out[key] = d[key]
    return out


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer()
    config = tiny_config(tokenizer, seed, tied)
    model = Qwen3VLForConditionalGeneration(config)
    fill_random(model, seed)
    for name, p in model.named_parameters():
        if "q_norm" in name:  # attention so sharp that greedy ids wander with a tied head too
            p.data *= 3
    model = model.to(getattr(torch, dtype))
    save_tensors(folder, {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
                          if not (tied and n == "lm_head.weight")}, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    eos = config.text_config.eos_token_id
    write("generation_config.json",
          {"bos_token_id": eos - 2, "pad_token_id": eos - 2, "do_sample": True,
           "eos_token_id": [eos, eos - 2], "top_k": 20, "top_p": 0.8, "temperature": 0.7})
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, eos_token="<|im_end|>",
                          pad_token="<|endoftext|>", extra_special_tokens=SPECIAL[3:])
    image = Qwen2VLImageProcessor(size=PIXELS, patch_size=16, image_mean=MEAN, image_std=MEAN)
    if layout == "nested":
        config.architectures = ["Qwen3VLForConditionalGeneration"]
        config.dtype = getattr(torch, dtype)
        config.save_pretrained(folder)
        Qwen3VLProcessor(image, fast, Qwen3VLVideoProcessor(),
                         chat_template=TEMPLATE).save_pretrained(folder)
        return
    write("config.json", hub_config(config, dtype))
    tokenizer.save(str(folder / "tokenizer.json"))
    write("tokenizer_config.json",
          {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>", "unk_token": None,
           "add_prefix_space": False, "pad_token": "<|endoftext|>", "model_max_length": 4096})
    write("chat_template.json", {"chat_template": TEMPLATE})
    write("preprocessor_config.json",
          {"size": PIXELS, "patch_size": 16, "temporal_patch_size": 2, "merge_size": 2,
           "image_mean": MEAN, "image_std": MEAN,
           "image_processor_type": "Qwen2VLImageProcessorFast",
           "processor_class": "Qwen3VLProcessor"})


def load(folder, dtype="float32"):
    model = Qwen3VLForConditionalGeneration.from_pretrained(folder, dtype=getattr(torch, dtype))
    return model.eval(), AutoProcessor.from_pretrained(folder)
