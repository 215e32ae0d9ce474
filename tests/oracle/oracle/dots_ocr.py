"""Tiny random dots.ocr checkpoints.

transformers does not know the family. The vision tower is the published file of SGLang's wheel
(sglang/srt/models/dots_vlm_vit.py, Apache-2.0), imported from DOCSPEC_SGLANG, the folder that holds
an unpacked `sglang` (pip download --no-deps sglang; unzip); nothing of it is copied. What it takes
from the rest of SGLang (its parallel linear layers and attention kernels) stands here instead, as
plain torch: VisionAttention. The language model is transformers' Qwen2, glued as dots.ocr's config
says: visual rows in place of <|imgpad|>, positions counting up."""

import importlib.util
import json
import os
import sys
import types
from pathlib import Path
from types import SimpleNamespace

import torch
from torch import nn
from transformers import PretrainedConfig, Qwen2Config, Qwen2ForCausalLM, Qwen2VLImageProcessor
from transformers.models.qwen2.modeling_qwen2 import rotate_half

from .qwen2_5_vl import fill_random
from .tokenizer import make_tokenizer
from .weights import save_tensors

FAMILY = "dots_ocr"
QUESTION = "Extract the text content from this image."
PIXELS = {"min_pixels": 56 * 56, "max_pixels": 28 * 28 * 60}
SPECIAL = ["<|endoftext|>", "<|imgpad|>", "<|img|>", "<|endofimg|>", "<|user|>", "<|endofuser|>",
           "<|assistant|>", "<|endofassistant|>"]
VISION = dict(embed_dim=32, hidden_size=48, intermediate_size=72, num_hidden_layers=3,
              num_attention_heads=2, num_channels=3, patch_size=14, spatial_merge_size=2,
              temporal_patch_size=1, rms_norm_eps=1e-5, use_bias=False, is_causal=False,
              post_norm=True)


class VisionAttention(nn.Module):
    """What SGLang's layer of this name computes: attention of each image's patches to all of it."""

    def __init__(self, embed_dim, num_heads, qkv_bias, proj_bias, **_):
        super().__init__()
        self.heads = num_heads
        self.qkv_proj = nn.Linear(embed_dim, 3 * embed_dim, bias=qkv_bias)
        self.proj = nn.Linear(embed_dim, embed_dim, bias=proj_bias)

    def forward(self, x, cu_seqlens, position_embeddings, **_):
        cos, sin = (t.squeeze(0) for t in position_embeddings)  # [patches, 1, head_dim]
        q, k, v = self.qkv_proj(x).view(x.shape[0], 3, self.heads, -1).unbind(1)
        q, k = (((t * cos) + (rotate_half(t) * sin)).to(x.dtype)
                for t in (q.float(), k.float()))
        out = [nn.functional.scaled_dot_product_attention(
                   *(t[a:b].transpose(0, 1) for t in (q, k, v))).transpose(0, 1)
               for a, b in zip(cu_seqlens[:-1].tolist(), cu_seqlens[1:].tolist())]
        return self.proj(torch.cat(out).reshape(x.shape))


def published_tower():
    """The class DotsVisionTransformer of the published file."""
    root = os.environ.get("DOCSPEC_SGLANG")
    file = Path(root or "") / "sglang/srt/models/dots_vlm_vit.py"
    if not root or not file.exists():
        raise SystemExit("set DOCSPEC_SGLANG to the folder of an unpacked sglang wheel "
                         "(pip download --no-deps sglang; unzip)")
    around = {"configs.dots_vlm": {"DotsVisionConfig": PretrainedConfig},
              "layers.attention.vision": {"VisionAttention": VisionAttention,
                                          "VisionAttentionMetadata": object,
                                          "prepare_vision_attention_metadata": lambda *a, **k: None},
              "layers.conv": {"Conv2dLayer": nn.Conv2d},
              "layers.quantization": {"QuantizationConfig": object},
              "runtime_context": {"get_parallel": lambda: SimpleNamespace(tp_size=1)},
              "utils": {"add_prefix": lambda name, prefix: f"{prefix}.{name}",
                        "is_npu": lambda: False}}
    for name, members in around.items():
        module = types.ModuleType("sglang.srt." + name)
        module.__dict__.update(members)
        sys.modules["sglang.srt." + name] = module
    spec = importlib.util.spec_from_file_location("dots_vlm_vit", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.DotsVisionTransformer


class DotsOcr(Qwen2ForCausalLM):
    """The whole model: Qwen2 with visual rows."""

    def __init__(self, config):
        super().__init__(config)
        vision = PretrainedConfig(**VISION)
        vision.initializer_range = vision.init_merger_std = 0.02
        self.vision_tower = published_tower()(vision)
        # A function, not a module, so that the reference finds it where other families have it.
        self.model.get_image_features = self.image_features

    def image_features(self, pixels, grid):
        rows = self.vision_tower(pixels.to(self.vision_tower.dtype), grid, bf16=False)
        return SimpleNamespace(pooler_output=[rows])

    def forward(self, input_ids=None, pixel_values=None, image_grid_thw=None,
                mm_token_type_ids=None, past_key_values=None, inputs_embeds=None, **rest):
        first = past_key_values is None or past_key_values.get_seq_length() == 0
        if first and pixel_values is not None:
            inputs_embeds = self.get_input_embeddings()(input_ids)
            rows = torch.cat(self.image_features(pixel_values, image_grid_thw).pooler_output)
            inputs_embeds[input_ids == self.config.image_token_id] = rows.to(inputs_embeds.dtype)
            input_ids = None
        return super().forward(input_ids=input_ids, inputs_embeds=inputs_embeds,
                               past_key_values=past_key_values, **rest)


class Processor:
    """Chat, image pixels and ids, as far as the reference asks for them."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer
        self.image = Qwen2VLImageProcessor(**PIXELS, temporal_patch_size=1)

    def apply_chat_template(self, messages, **_):
        page, question = messages[0]["content"][0]["image"], messages[0]["content"][1]["text"]
        pixels = self.image(page, return_tensors="pt")
        n = int(pixels["image_grid_thw"].prod()) // 4
        text = ("<|user|><|img|>" + "<|imgpad|>" * n + "<|endofimg|>" + question +
                "<|endofuser|><|assistant|>")
        ids = torch.tensor([self.tokenizer.encode(text, add_special_tokens=False).ids])
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids),
                "mm_token_type_ids": torch.zeros_like(ids), **pixels}


def tiny_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    return Qwen2Config(
        vocab_size=(tokenizer.get_vocab_size() + 7) // 8 * 8, hidden_size=48, intermediate_size=96,
        num_hidden_layers=2, num_attention_heads=3, num_key_value_heads=1, rms_norm_eps=1e-6,
        max_position_embeddings=4096, use_sliding_window=False, tie_word_embeddings=tied,
        rope_parameters={"rope_type": "default", "rope_theta": [1e6, 1e4, 500.0][seed % 3]},
        bos_token_id=special["<|endoftext|>"], eos_token_id=special["<|endofassistant|>"],
        image_token_id=special["<|imgpad|>"])


def config_json(config, layout, dtype):
    """layout 'hub': keys as published; 'nested': those that transformers 5 would write instead."""
    out = {"architectures": ["DotsOCRForCausalLM"], "model_type": FAMILY, "attention_bias": True}
    for key in ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers",
                "num_attention_heads", "num_key_value_heads", "max_position_embeddings",
                "rms_norm_eps", "hidden_act", "use_sliding_window", "bos_token_id", "eos_token_id",
                "image_token_id", "tie_word_embeddings"):
        out[key] = getattr(config, key)
    if layout == "hub":
        out |= {"rope_theta": config.rope_parameters["rope_theta"], "rope_scaling": None,
                "torch_dtype": dtype}
    else:
        out |= {"rope_parameters": config.rope_parameters, "dtype": dtype}
    return out | {"vision_config": VISION}


def published_name(name):
    return name.replace("attn.qkv_proj.", "attn.qkv.") if name.startswith("vision_tower.") else name


def make_checkpoint(folder, seed, layout="hub", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(300, SPECIAL)
    config = tiny_config(tokenizer, seed, tied)
    model = DotsOcr(config)
    fill_random(model, seed)
    model = model.to(getattr(torch, dtype))
    save_tensors(folder, {published_name(n): t.detach().clone().contiguous()
                          for n, t in model.state_dict().items()
                          if not (tied and n == "lm_head.weight")}, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    write("config.json", config_json(config, layout, dtype))
    write("generation_config.json",
          {"eos_token_id": [config.bos_token_id, config.eos_token_id], "temperature": 0.1})
    image = {**PIXELS, "patch_size": 14, "temporal_patch_size": 1, "merge_size": 2,
             "image_processor_type": "Qwen2VLImageProcessor", "processor_class": "DotsVLProcessor"}
    if layout == "hub":
        write("preprocessor_config.json", image)
    else:
        write("processor_config.json", {"image_processor": image})
    tokenizer.save(str(folder / "tokenizer.json"))


def load(folder, dtype="float32"):
    from safetensors.torch import load_file
    from tokenizers import Tokenizer
    folder = Path(folder)
    stored = json.loads((folder / "config.json").read_text())
    stored.setdefault("rope_parameters", {"rope_type": "default",
                                          "rope_theta": stored.get("rope_theta")})
    for key in ("vision_config", "model_type", "architectures", "rope_theta", "rope_scaling",
                "torch_dtype", "dtype", "attention_bias"):
        stored.pop(key, None)
    model = DotsOcr(Qwen2Config(**stored))
    tensors = {}
    for file in folder.glob("*.safetensors"):
        tensors |= load_file(file)
    names = {published_name(n): n for n in model.state_dict()}
    missing, unexpected = model.load_state_dict({names[n]: t for n, t in tensors.items()},
                                                strict=False)
    tied = model.config.tie_word_embeddings
    assert not unexpected and set(missing) <= ({"lm_head.weight"} if tied else set()), missing
    return (model.to(getattr(torch, dtype)).eval(),
            Processor(Tokenizer.from_file(str(folder / "tokenizer.json"))))
