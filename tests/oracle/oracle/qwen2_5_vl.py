"""Tiny random Qwen2.5-VL checkpoints in both layouts."""

import json
import re
from pathlib import Path

import torch
from transformers import (AutoProcessor, Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration,
                          Qwen2_5_VLProcessor, Qwen2Tokenizer, Qwen2VLImageProcessor)

from .tokenizer import CHAT_TEMPLATE, SPECIAL, make_tokenizer
from .weights import save_tensors

FAMILY = "qwen2_5_vl"
PIXELS = {"min_pixels": 56 * 56, "max_pixels": 28 * 28 * 60}
QUESTION = "QwenVL HTML "


def tiny_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    vocab = (tokenizer.get_vocab_size() + 63) // 64 * 64
    text = dict(vocab_size=vocab, hidden_size=64, intermediate_size=160, num_hidden_layers=3,
                num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=4096,
                rms_norm_eps=1e-6, use_sliding_window=False, max_window_layers=3,
                bos_token_id=special["<|endoftext|>"], eos_token_id=special["<|im_end|>"],
                rope_parameters={"rope_type": "default", "mrope_section": [2, 3, 3],
                                 "rope_theta": [1e6, 1e4, 500.0][seed % 3]})
    vision = dict(depth=4, hidden_size=64, intermediate_size=136, num_heads=4, out_hidden_size=64,
                  window_size=112, fullatt_block_indexes=[1, 3], tokens_per_second=2)
    return Qwen2_5_VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=tied,
                            image_token_id=special["<|image_pad|>"],
                            video_token_id=special["<|video_pad|>"],
                            vision_start_token_id=special["<|vision_start|>"],
                            vision_end_token_id=special["<|vision_end|>"])


def fill_random(model, seed):
    """What oracle/weights.py takes offsets and spreads from. Weights so large that greedy decoding wanders: 64 ids hold at least 20 different ones. A tied
    head finds a token's own embedding again in the residual, so that is kept small there."""
    tied = model.config.tie_word_embeddings
    generator = torch.Generator().manual_seed(seed)
    for name, p in model.named_parameters():
        noise = torch.randn(p.shape, generator=generator)
        if "norm" in name or "ln_q" in name:
            p.data = (4 if tied and name.endswith("model.norm.weight") else 1) * (1 + 0.1 * noise)
        elif p.dim() == 1:
            p.data = 0.1 * noise
        elif "embed_tokens" in name or "lm_head" in name:
            p.data = (0.12 if tied else 0.5) * noise
        else:
            p.data = 1.3 * noise / (p[0].numel() ** 0.5)


def hub_name(name):
    name = re.sub(r"^model\.visual\.", "visual.", name)
    return re.sub(r"^model\.language_model\.", "model.", name)


def hub_config(config, dtype):
    """config.json as published: flat, rope_scaling, torch_dtype."""
    d = config.to_dict()
    text, vision = d["text_config"], d["vision_config"]
    out = {"architectures": ["Qwen2_5_VLForConditionalGeneration"], "model_type": FAMILY}
    for key in ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers",
                "num_attention_heads", "num_key_value_heads", "max_position_embeddings", "rms_norm_eps",
                "hidden_act", "use_sliding_window", "max_window_layers", "bos_token_id",
                "eos_token_id"):
        out[key] = text[key]
    for key in ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id",
                "tie_word_embeddings"):
        out[key] = d[key]
    rope = text["rope_parameters"]
    out["rope_theta"] = rope["rope_theta"]
    out["rope_scaling"] = {"type": "mrope", "mrope_section": rope["mrope_section"]}
    out["torch_dtype"] = dtype
    out["vision_config"] = {k: vision[k] for k in (
        "depth", "hidden_act", "hidden_size", "intermediate_size", "num_heads", "out_hidden_size",
        "patch_size", "spatial_merge_size", "window_size", "fullatt_block_indexes",
        "tokens_per_second", "temporal_patch_size")}
    out["vision_config"]["in_chans"] = 3
    return out


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    """Writes one checkpoint folder. layout: 'nested' (transformers 5) or 'hub' (flat, old names)."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer()
    config = tiny_config(tokenizer, seed, tied)
    model = Qwen2_5_VLForConditionalGeneration(config)
    fill_random(model, seed)
    model = model.to(getattr(torch, dtype))
    tensors = {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
               if not (tied and n == "lm_head.weight")}
    if layout == "hub":
        tensors = {hub_name(n): t for n, t in tensors.items()}
    save_tensors(folder, tensors, sharded, seed)
    eos = config.text_config.eos_token_id
    (folder / "generation_config.json").write_text(json.dumps(
        {"bos_token_id": config.text_config.bos_token_id, "pad_token_id": eos - 2,
         "do_sample": True, "eos_token_id": [eos, eos - 2], "repetition_penalty": 1.05,
         "temperature": 0.1, "top_p": 0.001, "top_k": 1}, indent=1))
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, eos_token="<|im_end|>",
                          pad_token="<|endoftext|>", extra_special_tokens=SPECIAL[3:])
    image = Qwen2VLImageProcessor(**PIXELS)
    if layout == "nested":
        config.architectures = ["Qwen2_5_VLForConditionalGeneration"]
        config.dtype = getattr(torch, dtype)
        config.save_pretrained(folder)
        from transformers import Qwen2VLVideoProcessor
        Qwen2_5_VLProcessor(image, fast, Qwen2VLVideoProcessor(),
                            chat_template=CHAT_TEMPLATE).save_pretrained(folder)
        return
    (folder / "config.json").write_text(json.dumps(hub_config(config, dtype), indent=1))
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>", "add_prefix_space": False,
         "pad_token": "<|endoftext|>", "model_max_length": 4096, "unk_token": None}, indent=1))
    (folder / "chat_template.json").write_text(json.dumps({"chat_template": CHAT_TEMPLATE}))
    (folder / "preprocessor_config.json").write_text(json.dumps(
        {**PIXELS, "patch_size": 14, "temporal_patch_size": 2, "merge_size": 2,
         "image_mean": image.image_mean, "image_std": image.image_std,
         "image_processor_type": "Qwen2VLImageProcessor",
         "processor_class": "Qwen2_5_VLProcessor"}, indent=1))


def load(folder, dtype="float32"):
    model = Qwen2_5_VLForConditionalGeneration.from_pretrained(folder, dtype=getattr(torch, dtype))
    return model.eval(), AutoProcessor.from_pretrained(folder)
