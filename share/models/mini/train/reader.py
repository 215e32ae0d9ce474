"""Greedy reading with kept keys and values: a step costs one token, not the whole text."""

import torch

import network


class KVCache:
    """Keys and values of all layers so far: one batch, grown by each step."""

    def __init__(self, model):
        self.model, self.layers = model, [None] * len(model.layers)

    def step(self, x, cos, sin, causal):
        """x (B, n, width) behind what is kept -> hidden states of its rows. `causal` only with nothing kept."""
        b, n, _ = x.shape
        shape = self.model.shape
        for i, layer in enumerate(self.model.layers):
            y = layer.norm1(x)
            part = lambda t, heads: t.view(b, n, heads, -1).transpose(1, 2)
            q = network.rotate(part(layer.q_proj(y), shape.heads), cos, sin)
            k = network.rotate(part(layer.k_proj(y), shape.kv_heads), cos, sin)
            v = part(layer.v_proj(y), shape.kv_heads)
            if self.layers[i] is not None:
                k, v = torch.cat((self.layers[i][0], k), 2), torch.cat((self.layers[i][1], v), 2)
            self.layers[i] = k, v
            group = shape.heads // shape.kv_heads
            out = network.attention(q, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1), causal)
            x = x + layer.o_proj(out.transpose(1, 2).reshape(b, n, -1))
            x = x + layer.mlp(layer.norm2(x))
        return self.model.norm(x)


@torch.no_grad()
def read(model, images, questions, special, longest, rows, columns, late=lambda: False, dtype=torch.bfloat16):
    """Greedy token ids of each image of a batch (B, H, W) uint8, without the end token; at most `longest`. Raises
    TimeoutError as soon as `late()` is true."""
    device = model.norm.weight.device
    visual = model.vision(images.to(device).to(dtype) / 127.5 - 1)
    count, many = visual.shape[:2]
    embed = lambda ids: model.embed_tokens(ids).to(visual.dtype)
    fixed = lambda name: torch.full((count, 1), special[name], device=device)
    x = torch.cat((embed(fixed("<|im_start|>")), embed(fixed("<|vision_start|>")), visual, embed(fixed("<|vision_end|>")),
                   embed(questions.to(device)[:, None])), 1)
    cos, sin = model.angles(2, rows, columns, 2 + longest, x)
    cache, n = KVCache(model), x.shape[1]
    hidden = cache.step(x, cos[:n], sin[:n], True)
    said, done = [], torch.zeros(count, dtype=torch.bool, device=device)
    for at in range(n, n + longest):
        token = model.logits(hidden[:, -1]).argmax(1)
        done |= token == special["<|im_end|>"]
        if done.all():
            break
        if late():
            raise TimeoutError
        said.append(token)
        hidden = cache.step(embed(token[:, None]), cos[at:at + 1], sin[at:at + 1], False)
    rows_ = torch.stack(said, 1).tolist() if said else [[] for _ in range(count)]
    end = special["<|im_end|>"]
    return [ids[:ids.index(end)] if end in ids else ids for ids in rows_]
