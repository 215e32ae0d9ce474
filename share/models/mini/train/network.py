"""Qwen2.5-VL for batches of images of one size: the same mathematics as transformers' modelling code without its
loops over images and windows. `export` writes the checkpoint that transformers and docspec load.

Images are gray here; the exported patch embedding spreads its weights over two frames and three channels, so that a
colour page is read as its gray. Two heads exist in training only: characters at points of a visual token, and pointers
from text tokens to the visual tokens they are read from."""

import dataclasses

import torch
import torch.nn.functional as F
from torch import nn

PATCH, MERGE, WINDOW = 14, 2, 8  # pixels, patches, patches (112 pixels)
EPS = 1e-6
QUERIES = 256  # rows of causal attention computed together on a CPU


@dataclasses.dataclass
class Shape:
    vocabulary: int = 2048
    vision_width: int = 192
    vision_layers: int = 4
    vision_heads: int = 3
    vision_mlp: int = 512
    full_attention: tuple = (3,)
    width: int = 256
    layers: int = 6
    heads: int = 4
    kv_heads: int = 2
    head_size: int = 64
    mlp: int = 768
    sections: tuple = (8, 12, 12)
    theta: float = 10_000.0
    point_now: int = 1  # layer whose head 2 points to the token just read
    point_next: int = 3  # layer whose head 0 points to the token to be read


SHAPES = {"mini": Shape(),
          # Reads pages and formulas: 12 kinds of block, 196 coordinates and pieces of LaTeX among the tokens. `pages` begins as `pages-small`, grown.
          "pages-small": Shape(vocabulary=2386),
          "pages": Shape(vocabulary=2386, layers=12, point_now=2, point_next=6),
          "mini-draft": Shape(vision_width=128, vision_layers=3, vision_heads=2, vision_mlp=384, full_attention=(2,),
                              width=192, layers=4, heads=3, kv_heads=1, mlp=512, point_now=1, point_next=2)}


class Rotate(torch.autograd.Function):
    """x (..., length, size) turned by angles; fewer passes over memory than autograd's own."""

    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        half = x.shape[-1] // 2
        out = x * cos
        out[..., :half].addcmul_(x[..., half:], sin[..., :half], value=-1)
        out[..., half:].addcmul_(x[..., :half], sin[..., half:])
        return out

    @staticmethod
    def backward(ctx, g):
        cos, sin = ctx.saved_tensors
        half = g.shape[-1] // 2
        out = g * cos
        out[..., :half].addcmul_(g[..., half:], sin[..., half:])
        out[..., half:].addcmul_(g[..., :half], sin[..., :half], value=-1)
        return out, None, None


rotate = Rotate.apply


class RootMeanSquareNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        inverse = torch.linalg.vector_norm(x, dim=-1, keepdim=True, dtype=torch.float32).square_().div_(x.shape[-1]).add_(EPS).rsqrt_()
        unit = x * inverse.to(x.dtype)
        ctx.save_for_backward(unit, inverse, weight)
        return unit * weight.to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        unit, inverse, weight = ctx.saved_tensors
        gw = (g * unit).flatten(0, -2).sum(0, dtype=torch.float32)
        g = g * weight.to(g.dtype)
        mean = (g * unit).sum(-1, keepdim=True, dtype=torch.float32).div_(g.shape[-1]).to(g.dtype)
        return g.addcmul_(unit, mean, value=-1).mul_(inverse.to(g.dtype)), gw


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return RootMeanSquareNorm.apply(x, self.weight)


def attention(q, k, v, causal=False):
    """On the GPU the fused form; on a CPU the plain one, whose backward pass is twice as fast at these sizes."""
    if q.device.type != "cpu" or not torch.is_grad_enabled():
        return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    q = q * q.shape[-1] ** -0.5
    if not causal:
        return (q @ k.transpose(-1, -2)).softmax(-1) @ v
    out = []
    for part in q.split(QUERIES, -2):  # what a part may not see is not computed, but for the triangle at its end
        end = sum(o.shape[-2] for o in out) + part.shape[-2]
        scores = part @ k[..., :end, :].transpose(-1, -2)
        late = torch.ones(part.shape[-2], part.shape[-2], dtype=torch.bool).triu_(1)
        scores[..., end - part.shape[-2]:].masked_fill_(late, float("-inf"))
        out.append(scores.softmax(-1) @ v[..., :end, :])
    return torch.cat(out, -2)


class Linear(nn.Linear):
    """A linear layer with f32 weights that computes in its input's type."""

    def forward(self, x):
        return F.linear(x, self.weight.to(x.dtype), None if self.bias is None else self.bias.to(x.dtype))


class Gated(nn.Module):
    def __init__(self, width, inner, bias):
        super().__init__()
        self.gate_proj, self.up_proj = Linear(width, inner, bias=bias), Linear(width, inner, bias=bias)
        self.down_proj = Linear(inner, width, bias=bias)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class VisionBlock(nn.Module):
    def __init__(self, shape, full):
        super().__init__()
        width = shape.vision_width
        self.heads, self.full = shape.vision_heads, full
        self.norm1, self.norm2 = Norm(width), Norm(width)
        self.qkv, self.proj = Linear(width, 3 * width), Linear(width, width)
        self.mlp = Gated(width, shape.vision_mlp, True)

    def attend(self, x, cos, sin):
        """x (B, h, w, C) of q, k, v; angles (h, w, size). Attention over all of h x w."""
        b, h, w, c = x.shape
        q, k, v = x.view(b, h * w, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        cos, sin = cos.reshape(h * w, -1), sin.reshape(h * w, -1)
        out = attention(rotate(q, cos, sin), rotate(k, cos, sin), v)
        return out.transpose(1, 2).reshape(b, h, w, c // 3)

    def windows(self, x, cos, sin):
        """Windows of 8 x 8 patches; those at the far edges are smaller. Each of the four sizes is one batch."""
        b, h, w, c = x.shape
        rows = []
        for top, bottom in ((0, h - h % WINDOW), (h - h % WINDOW, h)):
            parts = []
            for left, right in ((0, w - w % WINDOW), (w - w % WINDOW, w)):
                if top == bottom or left == right:
                    continue
                wh, ww = min(WINDOW, bottom - top), min(WINDOW, right - left)
                nh, nw = (bottom - top) // wh, (right - left) // ww
                fold = lambda t: (t[:, top:bottom, left:right].reshape(t.shape[0], nh, wh, nw, ww, -1)
                                  .transpose(2, 3).reshape(-1, wh * ww, t.shape[-1]))
                q, k, v = fold(x).view(b, nh * nw, wh * ww, 3, self.heads, -1).permute(3, 0, 1, 4, 2, 5)
                wc, ws = fold(cos[None])[:, None], fold(sin[None])[:, None]
                out = attention(rotate(q, wc, ws).flatten(0, 1), rotate(k, wc, ws).flatten(0, 1), v.flatten(0, 1))
                out = out.transpose(1, 2).reshape(b, nh, nw, wh, ww, -1).transpose(2, 3)
                parts.append(out.reshape(b, nh * wh, nw * ww, c // 3))
            if parts:
                rows.append(torch.cat(parts, 2) if len(parts) > 1 else parts[0])
        return torch.cat(rows, 1) if len(rows) > 1 else rows[0]

    def forward(self, x, cos, sin):
        qkv = self.qkv(self.norm1(x))
        x = x + self.proj(self.attend(qkv, cos, sin) if self.full else self.windows(qkv, cos, sin))
        return x + self.mlp(self.norm2(x))


class Vision(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        width = shape.vision_width
        self.embed = Linear(PATCH * PATCH, width, bias=False)
        self.blocks = nn.ModuleList(VisionBlock(shape, i in shape.full_attention) for i in range(shape.vision_layers))
        self.ln_q = Norm(width)
        self.up, self.down = Linear(4 * width, 4 * width), Linear(4 * width, shape.width)

    def angles(self, h, w, like):
        size = self.shape.vision_width // self.shape.vision_heads
        count = lambda *numbers: torch.arange(*numbers, dtype=torch.float32, device=like.device)
        steps = 1 / 10_000 ** (count(0, size // 2, 2) / (size // 2))
        y, x = count(h)[:, None, None] * steps, count(w)[None, :, None] * steps
        half = torch.cat((y.expand(h, w, -1), x.expand(h, w, -1)), -1)
        both = torch.cat((half, half), -1)
        return both.cos().to(like), both.sin().to(like)

    def forward(self, pixels):
        """pixels (B, H, W) normalised -> (B, H/28 * W/28, width) visual tokens."""
        b, height, width = pixels.shape
        h, w = height // PATCH, width // PATCH
        x = self.embed(pixels.view(b, h, PATCH, w, PATCH).transpose(2, 3).reshape(b, h, w, -1))
        cos, sin = self.angles(h, w, x)
        for block in self.blocks:
            x = block(x, cos, sin)
        x = self.ln_q(x)
        x = x.view(b, h // 2, 2, w // 2, 2, -1).transpose(2, 3).reshape(b, (h // 2) * (w // 2), -1)
        return self.down(F.gelu(self.up(x)))


class Layer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        width, size = shape.width, shape.head_size
        self.norm1, self.norm2 = Norm(width), Norm(width)
        self.q_proj = Linear(width, shape.heads * size)
        self.k_proj, self.v_proj = Linear(width, shape.kv_heads * size), Linear(width, shape.kv_heads * size)
        self.o_proj = Linear(shape.heads * size, width, bias=False)
        self.mlp = Gated(width, shape.mlp, False)

    def forward(self, x, cos, sin):
        """Returns x and the rotated q, k of this layer."""
        b, n, _ = x.shape
        y = self.norm1(x)
        part = lambda t, heads: t.view(b, n, heads, -1).transpose(1, 2)
        q = rotate(part(self.q_proj(y), self.shape.heads), cos, sin)
        k = rotate(part(self.k_proj(y), self.shape.kv_heads), cos, sin)
        v = part(self.v_proj(y), self.shape.kv_heads)
        group = self.shape.heads // self.shape.kv_heads
        out = attention(q, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1), causal=True)
        x = x + self.o_proj(out.transpose(1, 2).reshape(b, n, -1))
        return x + self.mlp(self.norm2(x)), q, k


class Reader(nn.Module):
    """The whole model. classes, slots: the training head over characters at points of a visual token."""

    def __init__(self, shape, classes=0, slots=0):
        super().__init__()
        self.shape = shape
        self.vision = Vision(shape)
        self.embed_tokens = nn.Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.width)
        self.points = Linear(shape.width, classes * slots) if classes else None
        for name, p in self.named_parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02 if "embed_tokens" in name else (1 / p.shape[1]) ** 0.5 * 0.8)
            elif name.endswith("bias"):
                nn.init.zeros_(p)
        for layer in self.layers:
            layer.o_proj.weight.data.mul_(0.4)
            layer.mlp.down_proj.weight.data.mul_(0.4)
        for block in self.vision.blocks:
            block.proj.weight.data.mul_(0.4)
            block.mlp.down_proj.weight.data.mul_(0.4)

    def angles(self, before, rows, columns, after, like):
        """Multimodal rotary angles of [before text, rows x columns visual tokens, after text]."""
        count = lambda *numbers: torch.arange(*numbers, dtype=torch.float32, device=like.device)
        start = count(before)[None].expand(3, -1)
        y, x = torch.meshgrid(count(rows), count(columns), indexing="ij")
        image = before + torch.stack((torch.zeros_like(y).flatten(), y.flatten(), x.flatten()))
        end = before + max(rows, columns) + count(after)[None].expand(3, -1)
        places = torch.cat((start, image, end), 1)
        size = self.shape.head_size
        steps = 1 / self.shape.theta ** (count(0, size, 2) / size)
        half = torch.cat([place[:, None].expand(-1, n) for place, n in zip(places, self.shape.sections)], 1) * steps
        both = torch.cat((half, half), -1)
        return both.cos().to(like), both.sin().to(like)

    def states(self, visual, before, text, rows, columns):
        """visual (B, rows * columns, width); before (B, n) and text (B, m) token ids. Returns the hidden states of all rows
        and the two pointers' scores of the text rows over visual tokens (B, m, rows * columns)."""
        x = torch.cat((self.embed_tokens(before).to(visual.dtype), visual, self.embed_tokens(text).to(visual.dtype)), 1)
        n, m, v = before.shape[1], text.shape[1], visual.shape[1]
        cos, sin = self.angles(n, rows, columns, m, x)
        scores = {}
        group = self.shape.heads // self.shape.kv_heads
        for i, layer in enumerate(self.layers):
            x, q, k = layer(x, cos, sin)
            for name, at, head in (("now", self.shape.point_now, self.shape.heads - 1), ("next", self.shape.point_next, 0)):
                if i == at and self.training:
                    scores[name] = q[:, head, n + v:] @ k[:, head // group, n:n + v].transpose(1, 2) / self.shape.head_size ** 0.5
        return self.norm(x), scores

    def forward(self, visual, before, text, rows, columns):
        """As `states`, of the text rows alone."""
        hidden, scores = self.states(visual, before, text, rows, columns)
        return hidden[:, before.shape[1] + visual.shape[1]:], scores

    def logits(self, hidden):
        return hidden @ self.embed_tokens.weight.to(hidden.dtype).T


def hf_config(shape):
    """The configuration that transformers' Qwen2_5_VLConfig takes."""
    text = {"vocab_size": shape.vocabulary, "hidden_size": shape.width, "intermediate_size": shape.mlp,
            "num_hidden_layers": shape.layers, "num_attention_heads": shape.heads, "num_key_value_heads": shape.kv_heads,
            "max_position_embeddings": 8192, "rms_norm_eps": EPS, "rope_theta": shape.theta, "tie_word_embeddings": True,
            "rope_scaling": {"type": "mrope", "mrope_section": list(shape.sections)}, "use_sliding_window": False,
            "hidden_act": "silu", "max_window_layers": shape.layers, "sliding_window": 8192, "attention_dropout": 0.0,
            "head_dim": shape.head_size, "initializer_range": 0.02, "use_cache": True}
    vision = {"depth": shape.vision_layers, "hidden_size": shape.vision_width, "num_heads": shape.vision_heads,
              "intermediate_size": shape.vision_mlp, "out_hidden_size": shape.width, "patch_size": PATCH,
              "spatial_merge_size": MERGE, "temporal_patch_size": 2, "window_size": PATCH * WINDOW, "in_channels": 3,
              "in_chans": 3, "spatial_patch_size": PATCH, "fullatt_block_indexes": list(shape.full_attention),
              "tokens_per_second": 2, "hidden_act": "silu", "model_type": "qwen2_5_vl"}
    return text, vision


def parameters_by_published_name(model):
    """{name in Qwen2.5-VL's own files: parameter}; the patch embedding as it is here."""
    v, out = model.vision, {"visual.patch_embed.proj.weight": model.vision.embed.weight}

    def add(at, names):
        for name, module in names.items():
            out.update({f"{at}{name}.{key}": p for key, p in module.named_parameters()})

    for i, block in enumerate(v.blocks):
        add(f"visual.blocks.{i}.", {"norm1": block.norm1, "norm2": block.norm2, "attn.qkv": block.qkv, "attn.proj": block.proj, "mlp": block.mlp})
    add("visual.merger.", {"ln_q": v.ln_q, "mlp.0": v.up, "mlp.2": v.down})
    out["model.embed_tokens.weight"], out["model.norm.weight"] = model.embed_tokens.weight, model.norm.weight
    for i, layer in enumerate(model.layers):
        add(f"model.layers.{i}.", {"input_layernorm": layer.norm1, "post_attention_layernorm": layer.norm2, "mlp": layer.mlp})
        add(f"model.layers.{i}.self_attn.", {n: getattr(layer, n) for n in ("q_proj", "k_proj", "v_proj", "o_proj")})
    return out


def export(model):
    """{published name: tensor}, as Qwen2.5-VL's own files have them."""
    out = {name: p.detach() for name, p in parameters_by_published_name(model).items()}
    patch = model.vision.embed.weight.detach().view(-1, 1, 1, PATCH, PATCH) / 6
    out["visual.patch_embed.proj.weight"] = patch.expand(-1, 3, 2, -1, -1).contiguous()
    return out


def load(model, tensors):
    """Takes the weights of an exported checkpoint: training starts again from here. The rows of tokens that the checkpoint
    does not have keep their start."""
    with torch.no_grad():
        for name, p in parameters_by_published_name(model).items():
            value = tensors[name].float()
            p[:value.shape[0]].copy_(value.sum((1, 2)).flatten(1) if value.dim() == 5 else value)


def grow(tensors):
    """An exported checkpoint with twice the layers: behind each one a copy of it whose output is zero, so that the model
    says what it said."""
    out = {name: t for name, t in tensors.items() if not name.startswith("model.layers.")}
    for name, t in tensors.items():
        if name.startswith("model.layers."):
            number, rest = name.split(".", 3)[2:]
            silent = rest in ("self_attn.o_proj.weight", "mlp.down_proj.weight")
            out[f"model.layers.{2 * int(number)}.{rest}"] = t
            out[f"model.layers.{2 * int(number) + 1}.{rest}"] = t * 0 if silent else t
    return out
