"""Tiny random DeepSeek-OCR checkpoints.

transformers does not know the family. Its language model and SAM encoder are those of
DeepSeek-OCR-2, so transformers' classes of that run here; what differs (the CLIP tower, the
newlines, the views) was written anew after the published modeling_deepseekocr.py and deepencoder.py
(deepseek-ai/DeepSeek-OCR), nothing of which is copied. Views are resized by torchvision, which
equals Pillow up to 12. The Hub's layout says the language model's sizes twice; 'nested' leaves out
those at the top level."""

import json
from pathlib import Path

import torch
from torch import nn
from torchvision.transforms.v2 import functional as tv
from transformers import DeepseekOcr2Config, DeepseekOcr2ForConditionalGeneration
from transformers.modeling_outputs import BaseModelOutputWithPooling
from transformers.models.deepseek_ocr2.modeling_deepseek_ocr2 import (DeepseekOcr2Model,
                                                                      DeepseekOcr2SamVisionConfig,
                                                                      DeepseekOcr2SamVisionEncoder)

from .deepseek_ocr2 import (BEGIN, PATCH, PROCESSOR, QUESTION, SIDE, SPECIAL, hub_config, hub_name,
                            hub_tensors, hub_text_config, sam_config, text_config)
from .qwen2_5_vl import fill_random
from .tokenizer import make_tokenizer
from .weights import save_tensors

FAMILY = "deepseek_vl_v2"
TILE, MOST = SIDE * 5 // 8, 9
CLIP = {"heads": 4, "image_size": 56, "layers": 2, "patch_size": 14, "width": 48}
CHANNELS = [32, CLIP["width"]]
__all__ = ["FAMILY", "QUESTION"]


class ClipBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.layer_norm1, self.layer_norm2 = (nn.LayerNorm(width, eps=1e-5) for _ in range(2))
        self.self_attn, self.mlp = nn.Module(), nn.Module()
        self.self_attn.qkv_proj = nn.Linear(width, 3 * width)
        self.self_attn.out_proj = nn.Linear(width, width)
        self.mlp.fc1 = nn.Linear(width, 4 * width)
        self.mlp.fc2 = nn.Linear(4 * width, width)

    def forward(self, x):
        q, k, v = (t.transpose(1, 2) for t in self.self_attn.qkv_proj(self.layer_norm1(x)).view(
            *x.shape[:2], 3, self.heads, -1).unbind(2))
        seen = nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2)
        x = x + self.self_attn.out_proj(seen.reshape(x.shape))
        wide = self.mlp.fc1(self.layer_norm2(x))
        return x + self.mlp.fc2(wide * torch.sigmoid(1.702 * wide))


class Clip(nn.Module):
    """Names as published, the misspelt one too."""

    def __init__(self, width, heads, layers, image_size, patch_size):
        super().__init__()
        self.side = image_size // patch_size
        self.embeddings, self.transformer = nn.Module(), nn.Module()
        self.embeddings.class_embedding = nn.Parameter(torch.zeros(width))
        self.embeddings.patch_embedding = nn.Conv2d(3, width, patch_size, patch_size, bias=False)
        self.embeddings.position_embedding = nn.Embedding(self.side ** 2 + 1, width)
        self.pre_layrnorm = nn.LayerNorm(width, eps=1e-5)
        self.transformer.layers = nn.ModuleList(ClipBlock(width, heads) for _ in range(layers))

    def forward(self, seen):
        """seen: SAM's [views, width, side, side] -> [views, side * side, width]"""
        table = self.embeddings.position_embedding.weight
        grid = table[1:].view(1, self.side, self.side, -1).permute(0, 3, 1, 2).float()
        grid = nn.functional.interpolate(grid, size=seen.shape[2:], mode="bicubic", antialias=True)
        places = torch.cat([table[:1], grid.flatten(2)[0].T.to(table.dtype)])
        first = self.embeddings.class_embedding.expand(seen.shape[0], 1, -1)
        x = self.pre_layrnorm(torch.cat([first, seen.flatten(2).transpose(1, 2)], 1) + places)
        for layer in self.transformer.layers:
            x = layer(x)
        return x[:, 1:]


class DeepseekOcrModel(DeepseekOcr2Model):
    def __init__(self, config):
        super().__init__(config)
        width = config.text_config.hidden_size
        self.vision_tower = nn.Module()
        sam = DeepseekOcr2SamVisionConfig(**sam_config(CHANNELS), image_size=SIDE, patch_size=PATCH)
        sam._attn_implementation = "eager"
        self.vision_tower.sam_encoder = DeepseekOcr2SamVisionEncoder(sam)
        self.vision_model = Clip(**CLIP)
        self.multi_modal_projector = nn.Linear(2 * CLIP["width"], width)
        self.image_newline = nn.Parameter(torch.zeros(width))

    def views(self, pixels):
        """[views, side, side, width]"""
        seen = self.vision_tower.sam_encoder(pixels).last_hidden_state
        rows = torch.cat([self.vision_model(seen), seen.flatten(2).transpose(1, 2)], -1)
        return self.multi_modal_projector(rows).unflatten(1, seen.shape[2:])

    def with_newlines(self, raster):
        ends = self.image_newline.expand(raster.shape[0], 1, -1)
        return torch.cat([raster, ends], 1).flatten(0, 1)

    def get_image_features(self, pixel_values, pixel_values_local=None, num_local_patches=None,
                           **_):
        """num_local_patches: [1, 2], tiles across and downwards."""
        dtype = self.image_newline.dtype
        out = []
        if pixel_values_local is not None:
            across, down = num_local_patches[0].tolist()
            tiles = self.views(pixel_values_local.to(dtype)).unflatten(0, (down, across))
            out.append(self.with_newlines(tiles.transpose(1, 2).flatten(2, 3).flatten(0, 1)))
        out.append(self.with_newlines(self.views(pixel_values.to(dtype))[0]))
        return BaseModelOutputWithPooling(pooler_output=[torch.cat([*out, self.view_separator[None]])])


class DeepseekOcr(DeepseekOcr2ForConditionalGeneration):
    def __init__(self, config):
        super().__init__(config)
        self.model = DeepseekOcrModel(config)


class Processor:
    """Chat, views and ids, as far as the reference asks for them."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    @staticmethod
    def resize(page, height, width):
        pixels = tv.pil_to_tensor(page)
        return tv.resize(pixels, [height, width], tv.InterpolationMode.BICUBIC, antialias=True)

    @staticmethod
    def scaled(pixels):
        return (pixels.float() / 255 - 0.5) / 0.5

    def whole(self, page):
        w, h = page.size
        width = SIDE if w >= h else round(w / h * SIDE)
        height = SIDE if h >= w else round(h / w * SIDE)
        square = torch.full((3, SIDE, SIDE), 127, dtype=torch.uint8)
        top, left = round((SIDE - height) * 0.5), round((SIDE - width) * 0.5)
        square[:, top:top + height, left:left + width] = self.resize(page, height, width)
        return self.scaled(square)

    def tiles(self, page):
        """Tiles and how many there are across and downwards; none of a small page."""
        w, h = page.size
        if max(w, h) <= TILE:
            return None, (0, 0)
        grids = sorted(((i, j) for i in range(1, MOST + 1) for j in range(1, MOST + 1)
                        if 2 <= i * j <= MOST), key=lambda g: g[0] * g[1])
        best, least = (1, 1), float("inf")
        for across, down in grids:
            off = abs(w / h - across / down)
            if off < least or (off == least and w * h > 0.5 * TILE * TILE * across * down):
                best, least = (across, down), off
        across, down = best
        whole = self.scaled(self.resize(page, TILE * down, TILE * across))
        cut = whole.unflatten(1, (down, TILE)).unflatten(3, (across, TILE))
        return cut.permute(1, 3, 0, 2, 4).flatten(0, 1).contiguous(), best

    def apply_chat_template(self, messages, **_):
        page, question = messages[0]["content"][0]["image"], messages[0]["content"][1]["text"]
        tiles, (across, down) = self.tiles(page)
        side, tile = SIDE // PATCH // 4, TILE // PATCH // 4
        n = side * (side + 1) + 1 + (down * tile * (across * tile + 1) if down else 0)
        ids = self.tokenizer.encode(BEGIN + "<image>" * n + "\n" + question,
                                    add_special_tokens=False).ids
        ids = torch.tensor([ids])
        out = {"input_ids": ids, "attention_mask": torch.ones_like(ids),
               "pixel_values": self.whole(page)[None],
               "num_local_patches": torch.tensor([[across, down]])}
        return out if tiles is None else out | {"pixel_values_local": tiles}


def tiny_config(text, image_token):
    encoder = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=1, vocab_size=1,
                   num_key_value_heads=1, intermediate_size=16)  # is taken out again
    sam = sam_config([8, 16]) | dict(image_size=SIDE, patch_size=PATCH)
    text = text | {"mlp_layer_types": ["dense", "sparse", "sparse"],
                   "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}
    return DeepseekOcr2Config(text_config=text, tie_word_embeddings=text["tie_word_embeddings"],
                              vision_config={"sam_config": sam, "encoder_config": encoder},
                              image_token_id=image_token)


def make_checkpoint(folder, seed, layout="hub", tied=False, sharded=False, dtype="bfloat16"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(500, SPECIAL)
    text = text_config(tokenizer, seed, tied)
    model = DeepseekOcr(tiny_config(text, tokenizer.token_to_id("<image>")))
    fill_random(model, seed)
    for name, p in model.named_parameters():
        if "language_model" in name and "q_proj.weight" in name:
            p.data *= 3
        elif "experts." in name:
            p.data *= (p[0].numel() / p.shape[-1]) ** 0.5
        elif "pos_embed" in name or "position_embedding" in name:
            p.data *= p[0].numel() ** 0.5
    model = model.to(getattr(torch, dtype))
    save_tensors(folder, hub_tensors({n: t.detach().clone().contiguous()
                                      for n, t in model.state_dict().items()
                                      if not (tied and n == "lm_head.weight")}), sharded, seed)
    towers = {"clip-l-14-224": CLIP, "sam_vit_b": {"downsample_channels": CHANNELS}}
    config = hub_config(text, towers, 2 * CLIP["width"], "DeepseekOCRForCausalLM", dtype)
    if layout == "nested":
        for key in hub_text_config(text):
            del config[key]
    write = lambda name, value: (folder / name).write_text(json.dumps(value, indent=1))  # noqa: E731
    write("config.json", config)
    write("generation_config.json", {"bos_token_id": text["bos_token_id"],
                                     "eos_token_id": text["eos_token_id"]})
    write("processor_config.json", PROCESSOR)
    tokenizer.save(str(folder / "tokenizer.json"))


def load(folder, dtype="float32"):
    from safetensors.torch import load_file
    from tokenizers import Tokenizer
    folder = Path(folder)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    stored = json.loads((folder / "config.json").read_text())["language_config"]
    keys = set(text_config(tokenizer, 0, False))
    model = DeepseekOcr(tiny_config({k: v for k, v in stored.items() if k in keys},
                                    tokenizer.token_to_id("<image>")))
    tensors = {}
    for file in folder.glob("*.safetensors"):
        tensors |= load_file(file)
    own = model.state_dict()
    names = {n: t for n, t in own.items()}
    for name, t in list(own.items()):
        if name.endswith("experts.gate_up_proj"):
            at = hub_name(name)[:-len("gate_up_proj")]
            names[name] = torch.stack([torch.cat([tensors.pop(f"{at}{i}.gate_proj.weight"),
                                                  tensors.pop(f"{at}{i}.up_proj.weight")])
                                       for i in range(t.shape[0])])
        elif name.endswith("experts.down_proj"):
            at = hub_name(name)[:-len("down_proj")]
            names[name] = torch.stack([tensors.pop(f"{at}{i}.down_proj.weight")
                                       for i in range(t.shape[0])])
        elif name != "lm_head.weight" or hub_name(name) in tensors:
            names[name] = tensors.pop(hub_name(name))
    assert not tensors, tensors.keys()
    if stored["tie_word_embeddings"]:
        names["lm_head.weight"] = names["model.language_model.embed_tokens.weight"]
    model.load_state_dict(names)
    model.tie_weights()
    return model.to(getattr(torch, dtype)).eval(), Processor(tokenizer)
