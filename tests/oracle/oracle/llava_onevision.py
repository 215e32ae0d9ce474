"""Tiny random LLaVA-OneVision checkpoints in both layouts. The Hub's one has the older names
(language_model.model., language_model.lm_head) and rope_theta in text_config."""

import json
import re
from pathlib import Path

import torch
from transformers import (AutoProcessor, LlavaOnevisionConfig,
                          LlavaOnevisionForConditionalGeneration, LlavaOnevisionImageProcessor,
                          LlavaOnevisionProcessor, LlavaOnevisionVideoProcessor, Qwen2Config,
                          Qwen2Tokenizer, SiglipVisionConfig)

from .qwen2_5_vl import fill_random
from .tokenizer import make_tokenizer
from .weights import save_tensors

FAMILY = "llava_onevision"
QUESTION = "Please output only the text content from the image."
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<image>", "<video>"]
SIDE, PATCH = 60, 14  # 4 x 4 patches; 4 pixels are left over, as in 384 = 27 x 14 + 6
GRID = [[SIDE * h, SIDE * w] for h in range(1, 5) for w in range(1, 5)]
ASPECT = "anyres_max_9"
# As in the Hub's chat_template.json: the image, a line feed, the question; nothing behind <|im_end|>.
TEMPLATE = ("{% for message in messages %}<|im_start|>{{ message['role'] }} "
            "{% for part in message['content'] %}{% if part['type'] == 'image' %}<image>"
            "{% endif %}{% endfor %}"
            "{% for part in message['content'] %}{% if part['type'] == 'text' %}"
            "{{ '\\n' + part['text'] }}{% endif %}{% endfor %}<|im_end|>{% endfor %}"
            "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")


def tiny_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    vocab = (tokenizer.get_vocab_size() + 63) // 64 * 64
    text = Qwen2Config(vocab_size=vocab, hidden_size=64, intermediate_size=160,
                       num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2,
                       max_position_embeddings=4096, rms_norm_eps=1e-6, use_sliding_window=False,
                       tie_word_embeddings=tied, bos_token_id=special["<|endoftext|>"],
                       eos_token_id=special["<|im_end|>"],
                       rope_parameters={"rope_type": "default",
                                        "rope_theta": [1e6, 1e4, 500.0][seed % 3]})
    vision = SiglipVisionConfig(hidden_size=64, intermediate_size=136, num_hidden_layers=3,
                                num_attention_heads=4, image_size=SIDE, patch_size=PATCH,
                                vision_use_head=False)
    return LlavaOnevisionConfig(text_config=text, vision_config=vision, tie_word_embeddings=tied,
                                image_token_index=special["<image>"],
                                video_token_index=special["<video>"], image_grid_pinpoints=GRID,
                                vision_aspect_ratio=ASPECT)


def hub_name(name):
    name = re.sub(r"^model\.language_model\.", "language_model.model.", name)
    name = re.sub(r"^lm_head\.", "language_model.lm_head.", name)
    name = re.sub(r"^model\.vision_tower\.(?!vision_model\.)", "vision_tower.vision_model.", name)
    return re.sub(r"^model\.", "", name)


def hub_config(config, dtype):
    """config.json as published."""
    d = config.to_dict()
    text = {k: d["text_config"][k] for k in (
        "bos_token_id", "eos_token_id", "hidden_act", "hidden_size", "intermediate_size",
        "max_position_embeddings", "model_type", "num_attention_heads", "num_hidden_layers",
        "num_key_value_heads", "rms_norm_eps", "use_sliding_window", "vocab_size",
        "tie_word_embeddings")}
    text |= {"rope_theta": d["text_config"]["rope_parameters"]["rope_theta"], "torch_dtype": dtype}
    vision = {k: d["vision_config"][k] for k in (
        "hidden_size", "image_size", "intermediate_size", "model_type", "num_attention_heads",
        "num_hidden_layers", "patch_size")} | {"vision_use_head": False}
    out = {"architectures": ["LlavaOnevisionForConditionalGeneration"], "model_type": FAMILY,
           "text_config": text, "vision_config": vision, "torch_dtype": dtype}
    for key in ("image_grid_pinpoints", "image_token_index", "projector_hidden_act",
                "tie_word_embeddings", "vision_aspect_ratio", "vision_feature_layer",
                "vision_feature_select_strategy", "video_token_index"):
        out[key] = d[key]
    return out | {"use_image_newline_parameter": True}


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(500, SPECIAL)
    config = tiny_config(tokenizer, seed, tied)
    model = LlavaOnevisionForConditionalGeneration(config)
    fill_random(model, seed)
    for name, p in model.named_parameters():
        if "language_model" in name and "q_proj.weight" in name:  # as in qwen3_vl.py
            p.data *= 3
    model = model.to(getattr(torch, dtype))
    tensors = {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
               if not (tied and n == "lm_head.weight")}
    if layout == "hub":
        tensors = {hub_name(n): t for n, t in tensors.items()}
    save_tensors(folder, tensors, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    write("generation_config.json", {"bos_token_id": config.text_config.bos_token_id,
                                     "eos_token_id": config.text_config.eos_token_id})
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, eos_token="<|im_end|>",
                          pad_token="<|endoftext|>", extra_special_tokens=SPECIAL[3:])
    size = {"height": SIDE, "width": SIDE}
    image = LlavaOnevisionImageProcessor(size=size, image_grid_pinpoints=GRID)
    processor = dict(num_image_tokens=(SIDE // PATCH) ** 2, vision_feature_select_strategy="full",
                     vision_aspect_ratio=ASPECT)
    if layout == "nested":
        config.architectures = ["LlavaOnevisionForConditionalGeneration"]
        config.dtype = getattr(torch, dtype)
        config.save_pretrained(folder)
        LlavaOnevisionProcessor(image, fast, LlavaOnevisionVideoProcessor(), **processor,
                                chat_template=TEMPLATE).save_pretrained(folder)
        return
    write("config.json", hub_config(config, dtype))
    tokenizer.save(str(folder / "tokenizer.json"))
    write("tokenizer_config.json",
          {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>", "unk_token": None,
           "add_prefix_space": False, "pad_token": "<|endoftext|>", "model_max_length": 4096,
           "processor_class": "LlavaOnevisionProcessor"})
    write("chat_template.json", {"chat_template": TEMPLATE})
    write("processor_config.json", processor | {"image_token": "<image>", "video_token": "<video>",
                                                "processor_class": "LlavaOnevisionProcessor"})
    write("preprocessor_config.json",
          {"size": size, "image_grid_pinpoints": GRID, "image_mean": image.image_mean,
           "image_std": image.image_std, "rescale_factor": 1 / 255, "resample": 3,
           "do_convert_rgb": True, "do_normalize": True, "do_pad": True, "do_rescale": True,
           "do_resize": True, "image_processor_type": "LlavaOnevisionImageProcessor",
           "processor_class": "LlavaOnevisionProcessor"})


def load(folder, dtype="float32"):
    model = LlavaOnevisionForConditionalGeneration.from_pretrained(folder,
                                                                   dtype=getattr(torch, dtype))
    return model.eval(), AutoProcessor.from_pretrained(folder)
