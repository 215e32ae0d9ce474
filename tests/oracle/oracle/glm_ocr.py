"""Tiny random GLM-OCR checkpoints. The published file is as transformers 5 writes it but for its further layer of
predictions; the Hub's layout here has that layer, rope_scaling and torch_dtype, and the image processor in a file of its
own."""

import json
from pathlib import Path

import torch
from transformers import (AutoProcessor, Glm46VImageProcessor, Glm46VProcessor, Glm46VVideoProcessor, GlmOcrConfig,
                          GlmOcrForConditionalGeneration, Qwen2Tokenizer)
from transformers.models.glm_ocr.modeling_glm_ocr import GlmOcrRMSNorm, GlmOcrTextDecoderLayer

from . import mtp
from .qwen2_5_vl import fill_random
from .tokenizer import make_tokenizer
from .weights import save_tensors

FAMILY = "glm_ocr"
QUESTION = "Text Recognition:"
END, USER = "<|endoftext|>", "<|user|>"
SPECIAL = [END, "[gMASK]", "<sop>", USER, "<|assistant|>", "<|begin_of_image|>", "<|end_of_image|>",
           "<|begin_of_video|>", "<|end_of_video|>", "<|image|>", "<|video|>"]
PIXELS = {"shortest_edge": 2 * 56 * 56, "longest_edge": 2 * 28 * 28 * 60}
TEMPLATE = ("[gMASK]<sop>{% for message in messages %}{{ '<|user|>\n' }}{% for part in message['content'] %}"
            "{% if part['type'] == 'image' %}<|begin_of_image|><|image|><|end_of_image|>"
            "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endfor %}{{ '<|assistant|>\n' }}")


def tiny_config(tokenizer, seed, tied):
    special = {t: tokenizer.token_to_id(t) for t in SPECIAL}
    vocab = (tokenizer.get_vocab_size() + 63) // 64 * 64
    # Sixteen layers would be slow; transformers ignores layer 16 whatever the number of layers.
    text = dict(vocab_size=vocab, hidden_size=64, intermediate_size=160, num_hidden_layers=3, num_attention_heads=4,
                num_key_value_heads=2, head_dim=32, max_position_embeddings=4096, rms_norm_eps=1e-5,
                bos_token_id=special[END], eos_token_id=[special[END], special[USER]],
                rope_parameters={"rope_type": "default", "mrope_section": [4, 6, 6], "partial_rotary_factor": 1.0,
                                 "rope_theta": [1e4, 1e6, 500.0][seed % 3]})
    vision = dict(depth=3, hidden_size=64, intermediate_size=136, num_heads=4, out_hidden_size=64,
                  attention_bias=seed % 2 == 0)
    return GlmOcrConfig(text_config=text, vision_config=vision, tie_word_embeddings=tied,
                        image_token_id=special["<|image|>"], video_token_id=special["<|video|>"],
                        image_start_token_id=special["<|begin_of_image|>"],
                        image_end_token_id=special["<|end_of_image|>"],
                        video_start_token_id=special["<|begin_of_video|>"],
                        video_end_token_id=special["<|end_of_video|>"])


class FurtherTokens(torch.nn.Module):
    """The layer of predictions as vLLM's glm_ocr_mtp has it, by the names of the published file."""

    def __init__(self, text):
        super().__init__()
        d = text.hidden_size
        self.enorm, self.hnorm = GlmOcrRMSNorm(d, text.rms_norm_eps), GlmOcrRMSNorm(d, text.rms_norm_eps)
        self.eh_proj = torch.nn.Linear(2 * d, d, bias=False)
        self.block = GlmOcrTextDecoderLayer(text, 0)
        self.shared_head = torch.nn.ModuleDict({"norm": GlmOcrRMSNorm(d, text.rms_norm_eps),
                                                "head": torch.nn.Linear(d, text.vocab_size, bias=False)})

    @staticmethod
    def stored_name(name):
        return name.removeprefix("block.")

    def logits(self, rows):
        return self.shared_head["head"](self.shared_head["norm"](rows))

    def forward(self, embeds, hidden, position_embeddings):
        """embeds: of each row's next token; hidden: the target's rows after its last norm. [1, rows, d] before the head's
        norm."""
        embeds = torch.cat([torch.zeros_like(embeds[:, :1]), embeds[:, 1:]], 1)
        x = self.eh_proj(torch.cat([self.enorm(embeds), self.hnorm(hidden)], -1))
        return self.block(x, position_embeddings=position_embeddings, attention_mask=mtp.causal_mask(x))


def prefix_of_layer(text):
    return f"model.language_model.layers.{text.num_hidden_layers}."


def drafts(folder, model, processor, expected):
    text = model.config.text_config
    layer = mtp.stored_layer(folder, FurtherTokens(text), prefix_of_layer(text), FurtherTokens.stored_name)
    return mtp.drafts(model, processor, expected, QUESTION, layer, sees_image=False) if layer else {}


def make_checkpoint(folder, seed, layout="nested", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(500, SPECIAL)
    config = tiny_config(tokenizer, seed, tied)
    model = GlmOcrForConditionalGeneration(config)
    fill_random(model, seed)
    further = FurtherTokens(config.text_config)
    further.config = config
    fill_random(further, seed)
    model = model.to(getattr(torch, dtype))
    tensors = {n: t.detach().clone().contiguous() for n, t in model.state_dict().items()
               if not (tied and n == "lm_head.weight")}
    if layout == "hub":
        prefix = prefix_of_layer(config.text_config)
        tensors |= {prefix + further.stored_name(n): t for n, t in further.state_dict().items()}
    save_tensors(folder, tensors, sharded, seed)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    write("generation_config.json", {"eos_token_id": config.text_config.eos_token_id, "do_sample": False})
    fast = Qwen2Tokenizer(tokenizer_object=tokenizer, eos_token=END, pad_token=END,
                          extra_special_tokens=SPECIAL[1:])
    image = Glm46VImageProcessor(size=dict(PIXELS))
    config.architectures = ["GlmOcrForConditionalGeneration"]
    config.dtype = getattr(torch, dtype)
    config.save_pretrained(folder)
    Glm46VProcessor(image, fast, Glm46VVideoProcessor(), chat_template=TEMPLATE).save_pretrained(folder)
    if layout == "hub":
        d = json.loads((folder / "config.json").read_text())
        rope = d["text_config"].pop("rope_parameters")
        d["text_config"]["num_nextn_predict_layers"] = 1
        d["text_config"] |= {"rope_theta": rope.pop("rope_theta"), "rope_scaling": rope}
        d["torch_dtype"] = d.pop("dtype")
        write("config.json", d)
        stored = json.loads((folder / "processor_config.json").read_text())
        write("preprocessor_config.json", stored.pop("image_processor"))
        write("processor_config.json", stored)


def load(folder, dtype="float32"):
    model = GlmOcrForConditionalGeneration.from_pretrained(folder, dtype=getattr(torch, dtype))
    return model.eval(), AutoProcessor.from_pretrained(folder)
