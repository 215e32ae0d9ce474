"""Tiny random Qwen3.5 checkpoints in both layouts: two recurrent layers to one of attention. The Hub's one has its layers by
full_attention_interval, the layer for further tokens, and the image processor in a file of its own."""

import json
import sys
import types
from pathlib import Path

import torch
from tokenizers import Regex, pre_tokenizers
from transformers import (AutoProcessor, Qwen2Tokenizer, Qwen2VLImageProcessor, Qwen3_5Config,
                          Qwen3_5ForConditionalGeneration, Qwen3VLProcessor, Qwen3VLVideoProcessor)

from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer, Qwen3_5RMSNorm

from . import mtp
from .qwen2_5_vl import fill_random
from .qwen3_vl import MEAN, PIXELS
from .qwen3_vl import TEMPLATE as PLAIN
from .tokenizer import SPECIAL, make_tokenizer
from .weights import save_tensors

FAMILY = "qwen3_5"
QUESTION = "qwenvl html"
TEMPLATE = PLAIN.replace("<|im_start|>assistant\n{% endif %}", "<|im_start|>assistant\n<think>\n\n</think>\n\n{% endif %}")
SPLIT = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"
         r"|\s*[\r\n]+|\s+(?!\S)|\s+")


def tokenizer_of_family():
    tokenizer = make_tokenizer(special=SPECIAL + ["<think>", "</think>"])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(SPLIT), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    return tokenizer


def tiny_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    vocab = (tokenizer.get_vocab_size() + 63) // 64 * 64
    text = dict(vocab_size=vocab, hidden_size=64, intermediate_size=160, num_hidden_layers=5, full_attention_interval=3,
                num_attention_heads=4, num_key_value_heads=2, head_dim=64, linear_num_key_heads=2, linear_num_value_heads=4,
                linear_key_head_dim=16, linear_value_head_dim=32, linear_conv_kernel_dim=4, max_position_embeddings=4096,
                rms_norm_eps=1e-6, tie_word_embeddings=tied, bos_token_id=special["<|endoftext|>"],
                eos_token_id=special["<|im_end|>"],
                rope_parameters={"rope_type": "default", "mrope_interleaved": True, "mrope_section": [3, 3, 2],
                                 "partial_rotary_factor": 0.25, "rope_theta": [1e7, 1e4, 500.0][seed % 3]})
    vision = dict(depth=3, hidden_size=64, intermediate_size=136, num_heads=4, out_hidden_size=64,
                  num_position_embeddings=36)
    return Qwen3_5Config(text_config=text, vision_config=vision, tie_word_embeddings=tied,
                         image_token_id=special["<|image_pad|>"], video_token_id=special["<|video_pad|>"],
                         vision_start_token_id=special["<|vision_start|>"],
                         vision_end_token_id=special["<|vision_end|>"])


def hub_config(config, dtype):
    """config.json as published."""
    d = config.to_dict()
    text = {k: d["text_config"][k] for k in (
        "attention_bias", "attention_dropout", "eos_token_id", "bos_token_id", "head_dim", "hidden_act", "hidden_size",
        "initializer_range", "intermediate_size", "linear_conv_kernel_dim", "linear_key_head_dim", "linear_num_key_heads",
        "linear_num_value_heads", "linear_value_head_dim", "max_position_embeddings", "model_type", "num_attention_heads",
        "num_hidden_layers", "num_key_value_heads", "rms_norm_eps", "rope_parameters", "tie_word_embeddings", "use_cache",
        "vocab_size")}
    text |= {"attn_output_gate": True, "full_attention_interval": 3, "mamba_ssm_dtype": "float32", "mtp_num_hidden_layers": 1,
             "dtype": dtype}
    vision = {k: d["vision_config"][k] for k in (
        "depth", "hidden_act", "hidden_size", "in_channels", "initializer_range", "intermediate_size", "num_heads",
        "num_position_embeddings", "out_hidden_size", "patch_size", "spatial_merge_size", "temporal_patch_size")}
    out = {"architectures": ["Qwen3_5ForConditionalGeneration"], "model_type": FAMILY, "text_config": text,
           "vision_config": vision | {"deepstack_visual_indexes": [], "model_type": FAMILY}}
    for key in ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id", "tie_word_embeddings"):
        out[key] = d[key]
    return out


def fill(model, seed):
    fill_random(model, seed)
    generator = torch.Generator().manual_seed(seed + 1)
    for name, p in model.named_parameters():
        if "A_log" in name:  # some heads forget at once, some remember several chunks
            p.data = -3 + 2 * torch.randn(p.shape, generator=generator)
        elif "visual" not in name and "norm" in name and "linear_attn" not in name:
            p.data = p.data * (3 if "q_norm" in name else 1) - 1  # centred on zero; q_norm as in qwen3_vl.py


class FurtherTokens(torch.nn.Module):
    """The layer for further tokens as vLLM's qwen3_5_mtp has it, by the names of the published files."""

    def __init__(self, text):
        super().__init__()
        d = text.hidden_size
        self.pre_fc_norm_embedding = Qwen3_5RMSNorm(d, text.rms_norm_eps)
        self.pre_fc_norm_hidden = Qwen3_5RMSNorm(d, text.rms_norm_eps)
        self.fc = torch.nn.Linear(2 * d, d, bias=False)
        self.layers = torch.nn.ModuleList([Qwen3_5DecoderLayer(text, text.layer_types.index("full_attention"))])
        self.norm = Qwen3_5RMSNorm(d, text.rms_norm_eps)

    def forward(self, embeds, hidden, position_embeddings):
        """embeds: of each row's next token; hidden: the target's rows after its last norm, or this layer's."""
        x = self.fc(torch.cat([self.pre_fc_norm_embedding(embeds), self.pre_fc_norm_hidden(hidden)], -1))
        return self.norm(self.layers[0](x, position_embeddings=position_embeddings, attention_mask=mtp.causal_mask(x)))


def drafts(folder, model, processor, expected):
    layer = mtp.stored_layer(folder, FurtherTokens(model.config.text_config), "mtp.", lambda name: name)
    if layer is None:
        return {}
    layer.logits = model.lm_head
    return mtp.drafts(model, processor, expected, QUESTION, layer, sees_image=True)


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = tokenizer_of_family()
    config = tiny_config(tokenizer, seed, tied)
    model = Qwen3_5ForConditionalGeneration(config)
    fill(model, seed)
    further = FurtherTokens(config.text_config)
    further.config = config
    fill(further, seed)
    model = model.to(getattr(torch, dtype))
    tensors = {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
               if not (tied and n == "lm_head.weight")}
    if layout == "hub":
        tensors |= {"mtp." + n: t for n, t in further.state_dict().items()}
    save_tensors(folder, tensors, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    eos = config.text_config.eos_token_id
    write("generation_config.json", {"bos_token_id": eos - 2, "pad_token_id": eos - 2, "do_sample": True,
                                     "eos_token_id": [eos, eos - 2], "top_k": 20, "top_p": 0.95, "temperature": 0.6})
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>",
                          extra_special_tokens=SPECIAL[3:])
    image = Qwen2VLImageProcessor(size=PIXELS, patch_size=16, image_mean=MEAN, image_std=MEAN)
    if layout == "nested":
        config.architectures = ["Qwen3_5ForConditionalGeneration"]
        config.dtype = getattr(torch, dtype)
        config.save_pretrained(folder)
        Qwen3VLProcessor(image, fast, Qwen3VLVideoProcessor(), chat_template=TEMPLATE).save_pretrained(folder)
        return
    write("config.json", hub_config(config, dtype))
    tokenizer.save(str(folder / "tokenizer.json"))
    write("tokenizer_config.json",
          {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>", "unk_token": None, "add_prefix_space": False,
           "pad_token": "<|endoftext|>", "model_max_length": 4096})
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    write("preprocessor_config.json",
          {"size": PIXELS, "patch_size": 16, "temporal_patch_size": 2, "merge_size": 2, "image_mean": MEAN, "image_std": MEAN,
           "image_processor_type": "Qwen2VLImageProcessorFast", "processor_class": "Qwen3VLProcessor"})


def load_f64(folder):
    """The model with all that transformers computes in f32 in f64 instead, and f32 names in its source read so. Over hundreds
    of tokens a state gathers f32's roundings, transformers' as well as docspec's: this tells whose they are."""
    from transformers.models.qwen3_5 import modeling_qwen3_5 as published
    source = Path(published.__file__).read_text()
    for narrow, wide in ((".float()", ".double()"), ("torch.float32", "torch.float64"), (".to(dtype=x.dtype)", ".double()")):
        source = source.replace(narrow, wide)
    wide = types.ModuleType(published.__package__ + ".modeling_in_f64")
    wide.__package__, wide.__file__ = published.__package__, published.__file__
    sys.modules[wide.__name__] = wide
    exec(compile(source, wide.__name__, "exec"), wide.__dict__)
    return wide.Qwen3_5ForConditionalGeneration.from_pretrained(folder, dtype=torch.float64).eval()


def load(folder, dtype="float32"):
    model = Qwen3_5ForConditionalGeneration.from_pretrained(folder, dtype=getattr(torch, dtype))
    return model.eval(), AutoProcessor.from_pretrained(folder)
