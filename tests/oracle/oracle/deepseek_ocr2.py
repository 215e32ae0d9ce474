"""Tiny random DeepSeek-OCR-2 checkpoints. The nested ones have transformers 5's config.json and, by
turns, its own tensor names or the Hub's, which it saves by itself. The Hub's layout (model_type
deepseek_vl_v2) is none that transformers reads: `load` gives it the nested config. Patches of 4
pixels instead of 16 keep the numbers of patches, rows and queries of the published model."""

import json
import re
from pathlib import Path

import torch
from transformers import (AutoProcessor, DeepseekOcr2Config, DeepseekOcr2ForConditionalGeneration,
                          DeepseekOcr2ImageProcessor, DeepseekOcr2Processor, Qwen2Tokenizer)

from .qwen2_5_vl import fill_random
from .tokenizer import make_tokenizer
from .weights import save_tensors

FAMILY = "deepseek_ocr2"
QUESTION = "<|grounding|>Convert the document to markdown."
BEGIN, END, PAD = "<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>"
SPECIAL = [BEGIN, END, PAD, "<image>", "<|ref|>", "<|/ref|>", "<|det|>", "<|/det|>",
           "<|grounding|>"]
PATCH, SIDE, TILE = 4, 256, 192
TEMPLATE = ("{{ '" + BEGIN + "' }}{% for message in messages %}"
            "{% for part in message['content'] %}{% if part['type'] == 'image' %}{{ '<image>\n' }}"
            "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endfor %}")


def text_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    vocab = (tokenizer.get_vocab_size() + 63) // 64 * 64
    return dict(vocab_size=vocab, hidden_size=64, intermediate_size=96, num_hidden_layers=3,
                num_attention_heads=4, num_key_value_heads=4, max_position_embeddings=4096,
                rms_norm_eps=1e-6, n_routed_experts=[8, 6, 8][seed % 3], n_shared_experts=2,
                num_experts_per_tok=[3, 2, 3][seed % 3], moe_intermediate_size=32,
                tie_word_embeddings=tied, bos_token_id=special[BEGIN], eos_token_id=special[END])


def sam_config(channels):
    return dict(hidden_size=32, num_hidden_layers=3, num_attention_heads=2, output_channels=24,
                global_attn_indexes=[1], downsample_channels=channels)


def tiny_config(tokenizer, seed, tied):
    # Heads of 64, as the published code has them.
    encoder = dict(hidden_size=128, num_hidden_layers=2, num_attention_heads=2, vocab_size=1,
                   num_key_value_heads=1, intermediate_size=160, rms_norm_eps=1e-6,
                   rope_parameters={"rope_type": "default", "rope_theta": 1e6})
    sam = sam_config([32, 128]) | dict(image_size=SIDE, patch_size=PATCH)
    text = text_config(tokenizer, seed, tied)
    text |= {"mlp_layer_types": ["dense", "sparse", "sparse"],
             "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}
    return DeepseekOcr2Config(text_config=text, tie_word_embeddings=tied,
                              vision_config={"sam_config": sam, "encoder_config": encoder},
                              image_token_id=tokenizer.token_to_id("<image>"))


def hub_tensors(tensors):
    """The tensors by the names, and cut as, the Hub has them."""
    out = {}
    for name, t in tensors.items():
        if name.endswith("experts.gate_up_proj"):
            gate, up = t.chunk(2, 1)
            for i in range(t.shape[0]):
                out[f"{name[:-len('gate_up_proj')]}{i}.gate_proj.weight"] = gate[i].contiguous()
                out[f"{name[:-len('gate_up_proj')]}{i}.up_proj.weight"] = up[i].contiguous()
        elif name.endswith("experts.down_proj"):
            for i in range(t.shape[0]):
                out[f"{name[:-len('down_proj')]}{i}.down_proj.weight"] = t[i].contiguous()
        else:
            out[name] = t
    return {hub_name(n): t for n, t in out.items()}


def hub_name(name):
    for new, old in ((r"^model\.language_model\.", "model."),
                     (r"vision_tower\.sam_encoder\.layers\.(\d+)\.layer_norm(\d)\.",
                      r"sam_model.blocks.\1.norm\2."),
                     (r"vision_tower\.sam_encoder\.layers\.", "sam_model.blocks."),
                     (r"vision_tower\.sam_encoder\.patch_embed\.projection\.",
                      "sam_model.patch_embed.proj."),
                     (r"vision_tower\.sam_encoder\.neck\.conv1\.", "sam_model.neck.0."),
                     (r"vision_tower\.sam_encoder\.neck\.layer_norm1\.", "sam_model.neck.1."),
                     (r"vision_tower\.sam_encoder\.neck\.conv2\.", "sam_model.neck.2."),
                     (r"vision_tower\.sam_encoder\.neck\.layer_norm2\.", "sam_model.neck.3."),
                     (r"vision_tower\.sam_encoder\.proj\.conv1\.", "sam_model.net_2."),
                     (r"vision_tower\.sam_encoder\.proj\.conv2\.", "sam_model.net_3."),
                     (r"vision_tower\.sam_encoder\.", "sam_model."),
                     (r"vision_tower\.vision_encoder\.", "qwen2_model.model.model."),
                     (r"vision_tower\.query_(\d+)_resolution\.", r"qwen2_model.query_\1."),
                     (r"multi_modal_projector\.", "projector.layers."),
                     (r"view_separator", "view_seperator")):
        name = re.sub(new, old, name)
    return name


def hub_text_config(text):
    """The language model's keys as published, for both DeepSeek-OCRs."""
    out = {k: text[k] for k in (
        "bos_token_id", "eos_token_id", "hidden_size", "intermediate_size",
        "max_position_embeddings", "moe_intermediate_size", "n_routed_experts", "n_shared_experts",
        "num_attention_heads", "num_experts_per_tok", "num_hidden_layers", "num_key_value_heads",
        "vocab_size", "tie_word_embeddings")}
    return out | {"first_k_dense_replace": 1, "kv_lora_rank": None, "lm_head": True, "n_group": 1,
                  "q_lora_rank": None, "qk_nope_head_dim": 0, "qk_rope_head_dim": 0,
                  "rm_head": False, "topk_group": 1, "topk_method": "greedy", "use_mla": False,
                  "v_head_dim": 0}


def hub_config(text, towers, input_dim, architecture, dtype):
    """config.json as published, for both DeepSeek-OCRs."""
    text = hub_text_config(text)
    sam = sam_config(None)
    sam = {"heads": sam["num_attention_heads"], "layers": sam["num_hidden_layers"],
           "width": sam["hidden_size"], "global_attn_indexes": sam["global_attn_indexes"]}
    return {"architectures": [architecture], "model_type": "deepseek_vl_v2", "tile_tag": "2D",
            "candidate_resolutions": [[SIDE, SIDE]], "global_view_pos": "head",
            "language_config": text | {"torch_dtype": dtype}, "torch_dtype": dtype,
            "projector_config": {"input_dim": input_dim, "model_type": "mlp_projector",
                                 "n_embed": text["hidden_size"], "projector_type": "linear"},
            "vision_config": {"image_size": SIDE, "mlp_ratio": 3.7362, "model_type": "vision",
                              "width": towers | {"sam_vit_b": sam | towers["sam_vit_b"]}}} | text


PROCESSOR = {"add_special_token": False, "candidate_resolutions": [[SIDE, SIDE]],
             "downsample_ratio": 4, "image_mean": [0.5] * 3, "image_std": [0.5] * 3,
             "image_token": "<image>", "normalize": True, "patch_size": PATCH,
             "processor_class": "DeepseekVLV2Processor"}


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(500, SPECIAL)
    config = tiny_config(tokenizer, seed, tied)
    model = DeepseekOcr2ForConditionalGeneration(config)
    fill_random(model, seed)
    for name, p in model.named_parameters():
        if "language_model" in name and "q_proj.weight" in name:  # as in qwen3_vl.py
            p.data *= 3
        elif "experts." in name:  # their first dimension is the experts'
            p.data *= (p[0].numel() / p.shape[-1]) ** 0.5
        elif "pos_embed" in name or "query_" in name:
            p.data *= p[0].numel() ** 0.5
    model = model.to(getattr(torch, dtype))
    tensors = {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
               if not (tied and n == "lm_head.weight")}
    if layout == "hub" or seed % 2:
        tensors = hub_tensors(tensors)
    save_tensors(folder, tensors, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    write("generation_config.json", {"bos_token_id": config.text_config.bos_token_id,
                                     "eos_token_id": config.text_config.eos_token_id})
    processor = make_processor(tokenizer)
    if layout == "nested":
        config.architectures = ["DeepseekOcr2ForConditionalGeneration"]
        config.dtype = getattr(torch, dtype)
        config.save_pretrained(folder)
        processor.save_pretrained(folder)
        return
    towers = {"qwen2-0-5b": {"dim": 128}, "sam_vit_b": {"downsample_channels": [32, 128]}}
    write("config.json", hub_config(config.to_dict()["text_config"], towers, 128,
                                    "DeepseekOCR2ForCausalLM", dtype))
    write("processor_config.json", PROCESSOR)
    tokenizer.save(str(folder / "tokenizer.json"))


def make_processor(tokenizer):
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, bos_token=BEGIN, eos_token=END, pad_token=PAD,
                          extra_special_tokens=SPECIAL[3:])
    image = DeepseekOcr2ImageProcessor(size={"height": SIDE, "width": SIDE}, tile_size=TILE)
    return DeepseekOcr2Processor(image, fast, chat_template=TEMPLATE, patch_size=PATCH)


def load(folder, dtype="float32"):
    from tokenizers import Tokenizer
    folder, config = Path(folder), None
    stored = json.loads((folder / "config.json").read_text())
    hub = stored["model_type"] != FAMILY
    if hub:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        config = tiny_config(tokenizer, 0, stored["tie_word_embeddings"])
        for key in ("n_routed_experts", "num_experts_per_tok"):
            setattr(config.text_config, key, stored[key])
    model, told = DeepseekOcr2ForConditionalGeneration.from_pretrained(
        folder, config=config, dtype=getattr(torch, dtype), output_loading_info=True,
        attn_implementation="eager")
    assert not told["missing_keys"] and not told["unexpected_keys"], told
    return model.eval(), make_processor(tokenizer) if hub else AutoProcessor.from_pretrained(folder)
