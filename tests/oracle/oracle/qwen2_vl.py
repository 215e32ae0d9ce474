"""Tiny random Qwen2-VL checkpoints in both layouts, as those of Qwen2.5-VL but for the tower."""

import json
from pathlib import Path

import torch
from transformers import (AutoProcessor, Qwen2Tokenizer, Qwen2VLConfig, Qwen2VLForConditionalGeneration,
                          Qwen2VLImageProcessor, Qwen2VLProcessor, Qwen2VLVideoProcessor)

from .qwen2_5_vl import PIXELS, fill_random, hub_name
from .tokenizer import CHAT_TEMPLATE, SPECIAL, make_tokenizer
from .weights import save_tensors

FAMILY = "qwen2_vl"
QUESTION = "Please output only the text content from the image without any additional descriptions or formatting."


def tiny_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    vocab = (tokenizer.get_vocab_size() + 63) // 64 * 64
    text = dict(vocab_size=vocab, hidden_size=64, intermediate_size=160, num_hidden_layers=3, num_attention_heads=4,
                num_key_value_heads=2, max_position_embeddings=4096, rms_norm_eps=1e-6, use_sliding_window=False,
                bos_token_id=special["<|endoftext|>"], eos_token_id=special["<|im_end|>"],
                rope_parameters={"rope_type": "default", "mrope_section": [2, 3, 3],
                                 "rope_theta": [1e6, 1e4, 500.0][seed % 3]})
    # A tower narrower than the language model, and a ratio that is not the default.
    vision = dict(depth=3, embed_dim=48, hidden_size=64, num_heads=3, mlp_ratio=[4, 3][seed % 2])
    return Qwen2VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=tied,
                         image_token_id=special["<|image_pad|>"], video_token_id=special["<|video_pad|>"],
                         vision_start_token_id=special["<|vision_start|>"],
                         vision_end_token_id=special["<|vision_end|>"])


def hub_config(config, dtype):
    """config.json as published: flat, rope_scaling, torch_dtype."""
    d = config.to_dict()
    text, vision = d["text_config"], d["vision_config"]
    rope = text["rope_parameters"]
    out = {"architectures": ["Qwen2VLForConditionalGeneration"], "model_type": FAMILY, "torch_dtype": dtype,
           "rope_theta": rope["rope_theta"],
           "rope_scaling": {"type": "mrope", "mrope_section": rope["mrope_section"]}}
    out |= {k: text[k] for k in (
        "vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
        "num_key_value_heads", "max_position_embeddings", "rms_norm_eps", "hidden_act", "use_sliding_window",
        "max_window_layers", "bos_token_id", "eos_token_id")}
    out |= {k: d[k] for k in ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id",
                              "tie_word_embeddings")}
    out["vision_config"] = {k: vision[k] for k in ("depth", "embed_dim", "hidden_size", "mlp_ratio", "num_heads",
                                                   "patch_size", "spatial_merge_size", "temporal_patch_size")}
    out["vision_config"] |= {"in_chans": 3, "spatial_patch_size": 14, "model_type": FAMILY}
    return out


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer()
    config = tiny_config(tokenizer, seed, tied)
    model = Qwen2VLForConditionalGeneration(config)
    fill_random(model, seed)
    model = model.to(getattr(torch, dtype))
    tensors = {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
               if not (tied and n == "lm_head.weight")}
    if layout == "hub":
        tensors = {hub_name(n): t for n, t in tensors.items()}
    save_tensors(folder, tensors, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    eos = config.text_config.eos_token_id
    write("generation_config.json", {"bos_token_id": config.text_config.bos_token_id, "do_sample": True,
                                     "eos_token_id": [eos, eos - 2], "temperature": 0.01, "top_k": 1})
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>",
                          extra_special_tokens=SPECIAL[3:])
    image = Qwen2VLImageProcessor(**PIXELS)
    if layout == "nested":
        config.architectures = ["Qwen2VLForConditionalGeneration"]
        config.dtype = getattr(torch, dtype)
        config.save_pretrained(folder)
        Qwen2VLProcessor(image, fast, Qwen2VLVideoProcessor(), chat_template=CHAT_TEMPLATE).save_pretrained(folder)
        return
    write("config.json", hub_config(config, dtype))
    tokenizer.save(str(folder / "tokenizer.json"))
    write("tokenizer_config.json",
          {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>", "add_prefix_space": False,
           "pad_token": "<|endoftext|>", "model_max_length": 4096, "unk_token": None})
    write("chat_template.json", {"chat_template": CHAT_TEMPLATE})
    write("preprocessor_config.json",
          {**PIXELS, "patch_size": 14, "temporal_patch_size": 2, "merge_size": 2, "image_mean": image.image_mean,
           "image_std": image.image_std, "image_processor_type": "Qwen2VLImageProcessor",
           "processor_class": "Qwen2VLProcessor"})


def load(folder, dtype="float32"):
    model = Qwen2VLForConditionalGeneration.from_pretrained(folder, dtype=getattr(torch, dtype))
    return model.eval(), AutoProcessor.from_pretrained(folder)
