"""Tiny random HunyuanOCR checkpoints in both layouts. The Hub's one is flat, with rope_scaling of
type xdrope, and has the older tensor names (vit., perceive., dense_h_to_4h)."""

import json
import re
from pathlib import Path

import torch
from transformers import (AutoProcessor, HunYuanVLConfig, HunYuanVLForConditionalGeneration,
                          HunYuanVLImageProcessor, HunYuanVLProcessor, Qwen2Tokenizer)

from .qwen2_5_vl import fill_random
from .tokenizer import make_tokenizer
from .weights import save_tensors

FAMILY = "hunyuan_vl"
QUESTION = "Extract the text in the image."
BEGIN, END, NO3 = ("<｜hy_begin▁of▁sentence｜>", "<｜hy_place▁holder▁no▁2｜>",
                   "<｜hy_place▁holder▁no▁3｜>")
USER, ANSWER, PAD = "<｜hy_User｜>", "<｜hy_Assistant｜>", "<｜hy_▁pad▁｜>"
NAMED = {"image_start_token": "<｜hy_place▁holder▁no▁100｜>",
         "image_end_token": "<｜hy_place▁holder▁no▁101｜>",
         "image_token": "<｜hy_place▁holder▁no▁102｜>"}
SPECIAL = [BEGIN, END, NO3, USER, ANSWER, PAD, *NAMED.values()]
PIXELS = {"shortest_edge": 96 * 96, "longest_edge": 32 * 32 * 40}
# A system message of nothing is sent by all examples and leaves its end in the chat.
TEMPLATE = ("{{ '" + BEGIN + NO3 + "' }}{% for message in messages %}"
            "{% for part in message['content'] %}{% if part['type'] == 'image' %}"
            "{{ '" + NAMED["image_start_token"] + NAMED["image_token"] + NAMED["image_end_token"] +
            "' }}{% else %}{{ part['text'] }}{% endif %}{% endfor %}{{ '" + USER + "' }}{% endfor %}")


def tiny_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    vocab = (tokenizer.get_vocab_size() + 63) // 64 * 64
    rope = {"rope_type": "dynamic", "alpha": [1000.0, 50.0, 2.0][seed % 3], "factor": 1.0,
            "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0,
            "rope_theta": [1e4, 500.0, 1e4][seed % 3],
            "mrope_section": [[4, 4, 4, 4], [6, 4, 4, 2]][seed % 2]}
    # A head that is not hidden / heads, as in the published model.
    text = dict(vocab_size=vocab, hidden_size=64, intermediate_size=160, num_hidden_layers=3,
                num_attention_heads=4, num_key_value_heads=2, head_dim=32, rms_norm_eps=1e-5,
                max_position_embeddings=4096, tie_word_embeddings=tied, attention_bias=False,
                bos_token_id=special[BEGIN], eos_token_id=special[END], pad_token_id=special[PAD],
                rope_parameters=rope)
    vision = dict(hidden_size=48, intermediate_size=104, num_hidden_layers=3, rms_norm_eps=1e-5,
                  num_attention_heads=4, max_image_size=112, out_hidden_size=64)
    return HunYuanVLConfig(text_config=text, vision_config=vision, tie_word_embeddings=tied,
                           image_token_id=special[NAMED["image_token"]],
                           im_start_id=special[NAMED["image_start_token"]],
                           im_end_id=special[NAMED["image_end_token"]], im_newline_id=special[NO3])


def hub_name(name):
    name = re.sub(r"^model\.language_model\.", "model.", name)
    name = re.sub(r"^model\.vision_tower\.", "vit.", name)
    for new, old in ((r"(vit\.layers\.\d+\.)layer_norm1\.", r"\1input_layernorm."),
                     (r"(vit\.layers\.\d+\.)layer_norm2\.", r"\1post_attention_layernorm."),
                     (r"(vit\..*)mlp\.fc1\.", r"\1mlp.dense_h_to_4h."),
                     (r"(vit\..*)mlp\.fc2\.", r"\1mlp.dense_4h_to_h."),
                     (r"patch_merger\.proj_conv\.", "patch_merger.proj.0."),
                     (r"patch_merger\.proj_out\.", "patch_merger.proj.2."),
                     (r"patch_merger\.", "perceive.")):
        name = re.sub(new, old, name)
    return name


def hub_config(config, dtype):
    """config.json as published: flat, its head called untied although it is tied."""
    d = config.to_dict()
    text = d["text_config"]
    out = {k: text[k] for k in (
        "attention_bias", "bos_token_id", "eod_token_id", "eos_token_id", "head_dim", "hidden_act",
        "hidden_size", "initializer_range", "intermediate_size", "max_position_embeddings",
        "num_attention_heads", "num_hidden_layers", "num_key_value_heads", "pad_token_id",
        "pretraining_tp", "rms_norm_eps", "sep_token_id", "use_cache", "vocab_size")}
    rope = dict(text["rope_parameters"])
    out |= {"architectures": ["HunYuanVLForConditionalGeneration"], "model_type": FAMILY,
            "attention_head_dim": text["head_dim"], "org_vocab_size": text["vocab_size"],
            "rope_theta": rope.pop("rope_theta"), "tie_word_embeddings": False,
            "image_token_id": d["image_token_id"], "torch_dtype": dtype, "use_qk_norm": True}
    rope |= {"type": "xdrope", "xdrope_section": rope.pop("mrope_section")}
    del rope["rope_type"]
    vision = {k: d["vision_config"][k] for k in (
        "hidden_act", "hidden_size", "img_max_token_num", "interpolate_mode", "intermediate_size",
        "max_image_size", "max_vit_seq_len", "num_attention_heads", "num_channels",
        "num_hidden_layers", "out_hidden_size", "patch_size", "rms_norm_eps",
        "spatial_merge_size")}
    return out | {"rope_scaling": rope, "vision_config": vision | {"cat_extra_token": 1}}


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(500, SPECIAL)
    config = tiny_config(tokenizer, seed, tied)
    model = HunYuanVLForConditionalGeneration(config)
    fill_random(model, seed)
    for name, p in model.named_parameters():
        if "query_layernorm" in name:  # as in qwen3_vl.py
            p.data *= 3
        if "_rms" in name:  # norms by another name
            p.data += 1
    model = model.to(getattr(torch, dtype))
    tensors = {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
               if not (tied and n == "lm_head.weight")}
    if layout == "hub":
        tensors = {hub_name(n): t for n, t in tensors.items()}
    save_tensors(folder, tensors, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    write("generation_config.json", {"bos_token_id": config.text_config.bos_token_id,
                                     "eos_token_id": config.text_config.eos_token_id})
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, eos_token=END, bos_token=BEGIN, pad_token=PAD,
                          extra_special_tokens=NAMED)
    image = HunYuanVLImageProcessor(size=PIXELS)
    if layout == "nested":
        config.architectures = ["HunYuanVLForConditionalGeneration"]
        config.dtype = getattr(torch, dtype)
        config.save_pretrained(folder)
        HunYuanVLProcessor(image, fast, chat_template=TEMPLATE).save_pretrained(folder)
        return
    write("config.json", hub_config(config, dtype))
    tokenizer.save(str(folder / "tokenizer.json"))
    write("tokenizer_config.json",
          {"tokenizer_class": "Qwen2Tokenizer", "bos_token": BEGIN, "eos_token": END,
           "pad_token": PAD, "unk_token": None, "add_prefix_space": False, "model_max_length": 4096,
           "extra_special_tokens": NAMED, "processor_class": "HunYuanVLProcessor"})
    write("chat_template.json", {"chat_template": TEMPLATE})
    write("preprocessor_config.json",
          {"min_pixels": PIXELS["shortest_edge"], "max_pixels": PIXELS["longest_edge"],
           "patch_size": 16, "temporal_patch_size": 1, "merge_size": 2, "resample": 1,
           "image_mean": image.image_mean, "image_std": image.image_std,
           "image_processor_type": "HunYuanVLImageProcessor",
           "processor_class": "HunYuanVLProcessor"})


def load(folder, dtype="float32"):
    model = HunYuanVLForConditionalGeneration.from_pretrained(folder, dtype=getattr(torch, dtype))
    return model.eval(), AutoProcessor.from_pretrained(folder)
