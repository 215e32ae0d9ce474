"""Tiny random GLM-OCR checkpoints. The published file is as transformers 5 writes it but for its further layer of
predictions; the Hub's layout here has that layer, rope_scaling and torch_dtype, and the image processor in a file of its
own."""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers import (AutoProcessor, Glm46VImageProcessor, Glm46VProcessor, Glm46VVideoProcessor, GlmOcrConfig,
                          GlmOcrForConditionalGeneration, Qwen2Tokenizer)
from transformers.models.glm_ocr.modeling_glm_ocr import GlmOcrRMSNorm, GlmOcrTextDecoderLayer

from .qwen2_5_vl import fill_random
from .reference import chat
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

    def tensors(self, layer):
        prefix = f"model.language_model.layers.{layer}."
        return {prefix + n.removeprefix("block."): t for n, t in self.state_dict().items()}

    def forward(self, embeds, hidden, position_embeddings):
        """embeds: of each row's next token; hidden: the target's rows after its last norm. [1, rows, d] before the head's
        norm."""
        embeds = torch.cat([torch.zeros_like(embeds[:, :1]), embeds[:, 1:]], 1)
        x = self.eh_proj(torch.cat([self.enorm(embeds), self.hnorm(hidden)], -1))
        mask = torch.full((x.shape[1], x.shape[1]), float("-inf")).triu(1)[None, None]
        return self.block(x, position_embeddings=position_embeddings, attention_mask=mask)


def further_tokens(folder, model):
    text = model.config.text_config
    layer = FurtherTokens(text)
    stored = {}
    for file in sorted(Path(folder).glob("*.safetensors")):
        stored |= load_file(file)
    names = {n: stored.get(n) for n in layer.tensors(text.num_hidden_layers)}
    if None in names.values():
        return None
    prefix = f"model.language_model.layers.{text.num_hidden_layers}."
    inner = {n.removeprefix(prefix): t.float() for n, t in names.items()}
    layer.load_state_dict({(n if n in layer.state_dict() else "block." + n): t for n, t in inner.items()})
    return layer.eval()


@torch.no_grad()
def drafts(folder, model, processor, expected, steps=4):
    """What the layer drafts after each greedy token of page 0: {"0.mtp_ids": [tokens, steps]}."""
    layer = further_tokens(folder, model)
    if layer is None:
        return {}
    from PIL import Image
    inputs = dict(chat(processor, Image.fromarray(expected["0.page"].numpy()), QUESTION))
    prompt, greedy = inputs["input_ids"].shape[1], expected["0.greedy_ids"][:12].long()
    inputs["input_ids"] = ids = torch.cat([inputs["input_ids"], greedy[None]], 1)
    inputs["attention_mask"] = torch.ones_like(ids)
    inputs["mm_token_type_ids"] = torch.cat([inputs["mm_token_type_ids"], torch.zeros_like(greedy)[None]], 1)
    model.model.rope_deltas = None
    target = model.model(**inputs).last_hidden_state
    places, delta = model.model.get_rope_index(
        inputs["input_ids"], mm_token_type_ids=inputs["mm_token_type_ids"], image_grid_thw=inputs["image_grid_thw"],
        attention_mask=inputs["attention_mask"])
    embed, rotary = model.model.language_model.embed_tokens, model.model.language_model.rotary_emb
    out = []
    for known in range(1, len(greedy) + 1):  # the last known token is pending: its row is not there
        rows = prompt + known - 1
        embeds, hidden, at = embed(ids[:, 1:rows + 1]), target[:, :rows], places[:, :, :rows]
        drafted = []
        for _ in range(steps):
            after = layer(embeds, hidden, rotary(embeds, at))[:, -1:]
            head = layer.shared_head["head"](layer.shared_head["norm"](after))
            drafted.append(head[0, 0].argmax())
            embeds = torch.cat([embeds, embed(drafted[-1][None, None])], 1)
            hidden = torch.cat([hidden, after], 1)
            at = torch.cat([at, at[:, :, -1:].max() * torch.ones_like(at[:, :, -1:]) + 1], 2)
        out.append(torch.stack(drafted))
    return {"0.mtp_ids": torch.stack(out).int()}


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
        tensors |= further.tensors(config.text_config.num_hidden_layers)
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
