"""Tiny random PaddleOCR-VL checkpoints in both layouts. The Hub's one is flat, called untied although it is tied, has
older tensor names and tensors that nothing reads."""

import json
import re
from pathlib import Path

import torch
from transformers import (AutoProcessor, PaddleOCRVLConfig, PaddleOCRVLForConditionalGeneration,
                          PaddleOCRVLImageProcessor, PaddleOCRVLProcessor, Qwen2Tokenizer)

from .qwen2_5_vl import fill_random
from .tokenizer import make_tokenizer
from .weights import save_tensors

FAMILY = "paddleocr_vl"
QUESTION = "OCR:"
BEGIN, END, PAD = "<|begin_of_sentence|>", "</s>", "<unk>"
NAMED = {"image_token": "<|IMAGE_PLACEHOLDER|>", "vision_start_token": "<|IMAGE_START|>",
         "vision_end_token": "<|IMAGE_END|>"}
SPECIAL = [BEGIN, END, PAD, *NAMED.values()]
PIXELS = {"shortest_edge": 56 * 56, "longest_edge": 28 * 28 * 60}
TEMPLATE = ("{{ '" + BEGIN + "User: ' }}{% for message in messages %}{% for part in message['content'] %}"
            "{% if part['type'] == 'image' %}<|IMAGE_START|><|IMAGE_PLACEHOLDER|><|IMAGE_END|>"
            "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endfor %}{{ '\nAssistant:\n' }}")


def tiny_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    vocab = (tokenizer.get_vocab_size() + 63) // 64 * 64
    # A head that is not hidden / heads, as in the published model.
    text = dict(vocab_size=vocab, hidden_size=64, intermediate_size=160, num_hidden_layers=3, num_attention_heads=4,
                num_key_value_heads=2, head_dim=32, rms_norm_eps=1e-5, tie_word_embeddings=tied,
                bos_token_id=special[BEGIN], eos_token_id=special[END], pad_token_id=special[PAD],
                rope_parameters={"rope_type": "default", "mrope_section": [4, 6, 6],
                                 "rope_theta": [5e5, 1e4, 500.0][seed % 3]})
    vision = dict(hidden_size=64, intermediate_size=136, num_hidden_layers=3, num_attention_heads=4, image_size=70)
    return PaddleOCRVLConfig(text_config=text, vision_config=vision, tie_word_embeddings=tied,
                             image_token_id=special[NAMED["image_token"]], video_token_id=vocab - 1,
                             vision_start_token_id=special[NAMED["vision_start_token"]],
                             vision_end_token_id=special[NAMED["vision_end_token"]])


def hub_name(name):
    name = re.sub(r"^model\.projector\.", "mlp_AR.", name)
    name = re.sub(r"^model\.visual\.", "visual.", name)
    return re.sub(r"^model\.language_model\.", "model.", name)


def hub_config(config, dtype):
    """config.json as published."""
    d = config.to_dict()
    text = d["text_config"]
    out = {k: text[k] for k in (
        "bos_token_id", "eos_token_id", "head_dim", "hidden_act", "hidden_size", "intermediate_size",
        "max_position_embeddings", "num_attention_heads", "num_hidden_layers", "num_key_value_heads", "pad_token_id",
        "rms_norm_eps", "use_bias", "use_cache", "vocab_size")}
    rope = text["rope_parameters"]
    out |= {"architectures": ["PaddleOCRVLForConditionalGeneration"], "model_type": FAMILY, "torch_dtype": dtype,
            "tie_word_embeddings": False, "rope_theta": rope["rope_theta"],
            "rope_scaling": {"mrope_section": rope["mrope_section"], "rope_type": "default", "type": "default"}}
    out |= {k: d[k] for k in ("image_token_id", "video_token_id", "vision_start_token_id")}
    vision = {k: d["vision_config"][k] for k in (
        "hidden_act", "hidden_size", "image_size", "intermediate_size", "layer_norm_eps", "model_type",
        "num_attention_heads", "num_channels", "num_hidden_layers", "patch_size", "spatial_merge_size")}
    return out | {"vision_config": vision | {"temporal_patch_size": 2, "tokens_per_second": 2}}


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(500, SPECIAL)
    tied = tied or layout == "hub"
    config = tiny_config(tokenizer, seed, tied)
    model = PaddleOCRVLForConditionalGeneration(config)
    fill_random(model, seed)
    model = model.to(getattr(torch, dtype))
    tensors = {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
               if not (tied and n == "lm_head.weight")}
    if layout == "hub":
        tensors = {hub_name(n): t for n, t in tensors.items()}
        tensors["visual.vision_model.embeddings.packing_position_embedding.weight"] = torch.randn(8, 64)
        tensors["visual.vision_model.head.probe"] = torch.randn(1, 1, 64)
    save_tensors(folder, tensors, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    write("generation_config.json", {"bos_token_id": config.text_config.bos_token_id,
                                     "eos_token_id": config.text_config.eos_token_id})
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, eos_token=END, bos_token=BEGIN, pad_token=PAD,
                          extra_special_tokens=NAMED)
    image = PaddleOCRVLImageProcessor(size=dict(PIXELS))
    if layout == "nested":
        config.architectures = ["PaddleOCRVLForConditionalGeneration"]
        config.dtype = getattr(torch, dtype)
        config.save_pretrained(folder)
        PaddleOCRVLProcessor(image, fast, chat_template=TEMPLATE).save_pretrained(folder)
        return
    write("config.json", hub_config(config, dtype))
    tokenizer.save(str(folder / "tokenizer.json"))
    write("tokenizer_config.json",
          {"tokenizer_class": "Qwen2Tokenizer", "bos_token": BEGIN, "eos_token": END, "pad_token": PAD,
           "unk_token": None, "add_prefix_space": False, "model_max_length": 4096, "extra_special_tokens": NAMED,
           "processor_class": "PaddleOCRVLProcessor"})
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    write("preprocessor_config.json",
          {"min_pixels": PIXELS["shortest_edge"], "max_pixels": PIXELS["longest_edge"], "patch_size": 14,
           "temporal_patch_size": 1, "merge_size": 2, "resample": 3, "do_convert_rgb": True, "do_normalize": True,
           "do_rescale": True, "do_resize": True, "rescale_factor": 1 / 255, "image_mean": image.image_mean,
           "image_std": image.image_std, "image_processor_type": "PaddleOCRVLImageProcessor",
           "processor_class": "PaddleOCRVLProcessor"})


def load(folder, dtype="float32"):
    model = PaddleOCRVLForConditionalGeneration.from_pretrained(folder, dtype=getattr(torch, dtype))
    return model.eval(), AutoProcessor.from_pretrained(folder)
