"""Trains a layer that predicts further tokens (MTP) for the built-in model, which stays as it is:
python further.py --out FOLDER [--minutes 30]

FOLDER becomes a checkpoint: the built-in model and the layer, by the names of GLM-OCR's file. Row i of the layer reads what
the model made of token i and the embedding of token i + 1, and predicts token i + 2; further tokens come from its own row and
the embedding of the token just predicted. It learns what the model itself says next, at `PLACES` places."""

import argparse
import json
import os
import random
import shutil
import time

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import nn

import data
import network
from train import optimizers, pointer_loss, rate_at, special_ids

HERE = os.path.dirname(os.path.abspath(__file__))
PLACES = 4
SCORES_BELOW = -1e9


class Further(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape, width = shape, shape.width
        self.enorm, self.hnorm, self.norm = network.Norm(width), network.Norm(width), network.Norm(width)
        self.join = network.Linear(2 * width, width, bias=False)
        self.layer = network.Layer(shape)
        for name, p in self.named_parameters():  # begins better than as a copy of the model's last layer
            if p.dim() == 2:
                nn.init.normal_(p, std=(1 / p.shape[1]) ** 0.5 * (0.3 if "o_proj" in name or "down_proj" in name else 0.8))
            elif name.endswith("bias"):
                nn.init.zeros_(p)

    def published(self):
        """{name in the file: parameter}."""
        at, layer = f"model.layers.{self.shape.layers}.", self.layer
        modules = {"enorm": self.enorm, "hnorm": self.hnorm, "eh_proj": self.join, "shared_head.norm": self.norm,
                   "input_layernorm": layer.norm1, "post_attention_layernorm": layer.norm2, "mlp": layer.mlp,
                   **{f"self_attn.{n}": getattr(layer, n) for n in ("q_proj", "k_proj", "v_proj", "o_proj")}}
        return {f"{at}{name}.{key}": p for name, module in modules.items() for key, p in module.named_parameters()}

    def heads(self, projection, x, count, cos, sin):
        out = projection(x).unflatten(-1, (count, -1)).transpose(1, 2)
        return out if cos is None else network.rotate(out, cos, sin)

    def read(self, next_embeds, hidden, cos, sin):
        """The layer's input and its q, k, v; k and v once for each head of q."""
        shape, x = self.shape, self.join(torch.cat((self.enorm(next_embeds), self.hnorm(hidden)), -1))
        y, group = self.layer.norm1(x), shape.heads // shape.kv_heads
        return (x, self.heads(self.layer.q_proj, y, shape.heads, cos, sin),
                self.heads(self.layer.k_proj, y, shape.kv_heads, cos, sin).repeat_interleave(group, 1),
                self.heads(self.layer.v_proj, y, shape.kv_heads, None, None).repeat_interleave(group, 1))

    def forward(self, model, ids, hidden, first, angles, places, own=False):
        """ids (B, S); hidden (B, S, width): the model's rows; the rows from `first` to the one before the last draft. angles:
        those of S + places rows. own: chains of its own tokens instead of the text's. A dict a place: logits (B, rows, tokens)
        of the token behind, and the scores of head 0 over all rows."""
        cos, sin = angles
        embeds = model.embed_tokens(ids[:, 1:]).float()
        embeds = torch.cat((torch.zeros_like(embeds[:, :1]), embeds[:, 1:]), 1)
        many = ids.shape[1] - 1
        x, q, k, v = self.read(embeds, hidden[:, :many], cos[:many], sin[:many])
        x, q = x[:, first:], q[:, :, first:]
        late = torch.ones(many, many, dtype=torch.bool).triu(1)[first:]
        chain_k, chain_v, out = [], [], []
        for place in range(places):
            if place > 0:  # a row more for each chain, which sees the model's rows up to its start and its own
                tokens = out[-1]["logits"].argmax(-1) if own else F.pad(ids, (0, place))[:, first + place + 1:]
                at = slice(first + place, many + place)
                x, q, new_k, new_v = self.read(model.embed_tokens(tokens).float(), x, cos[at], sin[at])
                chain_k.append(new_k)
                chain_v.append(new_v)
            scores = (q @ k.transpose(-1, -2)).masked_fill(late, SCORES_BELOW)
            chained = [(q * other).sum(-1, keepdim=True) for other in chain_k]
            weights = (torch.cat((scores, *chained), -1) * self.shape.head_size ** -0.5).softmax(-1)
            seen = weights[..., :many] @ v
            for n, other in enumerate(chain_v):
                seen = seen + weights[..., many + n:many + n + 1] * other
            x = x + self.layer.o_proj(seen.transpose(1, 2).flatten(2))
            x = x + self.layer.mlp(self.layer.norm2(x))
            out.append({"logits": model.logits(self.norm(x)), "scores": scores[:, 0]})
        return out


@torch.no_grad()
def seen(model, images, questions, text, special, rows, columns, places, dtype=torch.bfloat16):
    """ids, the model's rows, the row before the first token of `text` and angles, as Further reads them."""
    count, at = text.shape[0], lambda name: torch.full((text.shape[0], 1), special[name])
    visual = model.vision(images.to(dtype) / 127.5 - 1)
    before = torch.cat((at("<|im_start|>"), at("<|vision_start|>")), 1)
    after = torch.cat((at("<|vision_end|>"), questions[:, None], text), 1)
    hidden, _ = model.states(visual, before, after, rows, columns)
    pads = torch.full((count, visual.shape[1]), special["<|image_pad|>"])
    ids = torch.cat((before, pads, after), 1)
    angles = model.angles(2, rows, columns, after.shape[1] + places, hidden.float())
    return ids, hidden.float(), ids.shape[1] - text.shape[1] - 1, angles


def states(model, batch, special):
    inputs = torch.where(batch["text"] != data.IGNORE, batch["text"], special["<|endoftext|>"])
    return seen(model, batch["images"], batch["questions"], inputs, special, batch["rows"], batch["columns"], PLACES)


def losses(model, layer, batch, read):
    text, rows, columns = batch["text"], batch["rows"], batch["columns"]
    known = text != data.IGNORE
    ids, hidden, first, angles = read
    with torch.no_grad():
        said = model.logits(hidden[:, first + 1:]).softmax(-1)  # [:, j]: after the text's token j
    greedy, visual = said.argmax(-1), slice(2, 2 + rows * columns)
    loss, right = 0, []
    path = known.clone()  # the chain so far is what the model says
    for place, drafted in enumerate(layer(model, ids, hidden, first, angles, PLACES)):
        many = text.shape[1] - place  # row j reads token j and predicts token j + 1 + place
        wanted, logits = known[:, place:], drafted["logits"][:, :many]
        if place:
            path = path[:, :many] & (greedy[:, place - 1:-1] == text[:, place:]) & wanted
        loss = loss + F.cross_entropy(logits[wanted], said[:, place:][wanted])
        cells = [F.pad(batch[key], (0, 1), value=-1)[:, place + 1:] for key in ("first", "last")]
        loss = loss + 0.3 * pointer_loss(drafted["scores"][:, :many, visual] * layer.shape.head_size ** -0.5, *cells)
        right.append((logits.argmax(-1) == greedy[:, place:])[path].float().mean().item())
    return loss / PLACES, right


def load(folder, dtype=torch.float32):
    """The model and the layer of a checkpoint that has one."""
    tensors = load_file(os.path.join(folder, "model.safetensors"))
    model = network.Reader(network.SHAPES["mini"])
    network.load(model, tensors)
    layer = Further(model.shape)
    with torch.no_grad():
        for name, p in layer.published().items():
            p.copy_(tensors[name])
    return model.to(dtype).eval(), layer.eval()


def save(layer, folder):
    """The built-in model's folder with the layer in it."""
    mini = os.path.join(HERE, "..")
    shutil.copytree(mini, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("train", "README.md", "*.safetensors"))
    tensors = load_file(os.path.join(mini, "model.safetensors"))
    tensors |= {name: p.detach().to(torch.bfloat16).contiguous() for name, p in layer.published().items()}
    save_file(tensors, os.path.join(folder, "model.safetensors"), {"format": "pt"})


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", required=True)
    p.add_argument("--minutes", type=float, default=30, help="of this process's CPU")
    p.add_argument("--rate", type=float, default=8e-3)
    p.add_argument("--warm-up", type=int, default=20)
    p.add_argument("--decay", type=float, default=0.5)
    p.add_argument("--mix", choices=data.MIXES, default="wide")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(args.seed)
    random.seed(args.seed)
    np.random.seed(args.seed)
    dataset = data.Batches(f"further {args.seed}", args.mix, 1000, 1000, 1_000_000)
    special = special_ids(dataset.tokenizer) | {"<|image_pad|>": dataset.tokenizer.token_to_id("<|image_pad|>")}
    model = network.Reader(network.SHAPES["mini"])
    network.load(model, load_file(os.path.join(HERE, "..", "model.safetensors")))
    model.eval().requires_grad_(False)
    layer = Further(model.shape)
    layer.norm.load_state_dict(model.norm.state_dict())
    os.makedirs(args.out, exist_ok=True)
    log = open(os.path.join(args.out, "log.jsonl"), "a", buffering=1)
    optimizers_, sums, pool, characters = optimizers(layer, args.rate), np.zeros(1 + PLACES), [], 0
    for step, batch in enumerate(data.loader(dataset, 0, 0)):
        pool.append((batch, states(model, batch, special)))
        done = time.process_time() / 60 / args.minutes
        if done >= 1:
            break
        for again in (False, True):  # each batch about twice: drawing and seeing it costs as much
            now = pool[random.randrange(len(pool)) if again else -1]
            for o in optimizers_:
                for group in o.param_groups:
                    group["lr"] = args.rate * rate_at(step, done, args)
            loss, right = losses(model, layer, *now)
            for o in optimizers_:
                o.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
            for o in optimizers_:
                o.step()
            if not again:
                sums += [loss.item(), *right]
        if len(pool) == 50:
            pool.pop(random.randrange(50))
        characters += sum(map(len, batch["truth"]))
        if (step + 1) % 20 == 0:
            mean = (sums / 20).round(4).tolist()
            log.write(json.dumps({"step": step + 1, "cpu_minutes": round(time.process_time() / 60, 2), "characters": characters,
                                  "loss": mean[0], "right_by_place": mean[1:]}) + "\n")
            sums[:] = 0
            save(layer, args.out)
    save(layer, args.out)


if __name__ == "__main__":
    main()
