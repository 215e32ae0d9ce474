"""Trains a mini model: python train.py --shape mini --mix read --steps 4000 --out FOLDER [--from FOLDER] [--vision-only]

FOLDER gets state.pt (resumed when it exists), model.safetensors (bf16, the published form) and log.jsonl."""

import argparse
import json
import os
import random
import time

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

import data
import network
import sample
from synth.render import CLASSES, UNKNOWN
from synth.text import paragraphs

HIDDEN_RUN = 6  # text tokens
CLASS_COUNT, SLOTS = len(CLASSES) + 2, sample.SLOTS_X * sample.SLOTS_Y


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--shape", choices=network.SHAPES, default="mini")
    p.add_argument("--mix", choices=data.MIXES, default="read")
    p.add_argument("--out", required=True)
    p.add_argument("--from", dest="source", help="a folder with model.safetensors to start from")
    p.add_argument("--vision-only", action="store_true", help="train only what sees: no language model yet")
    p.add_argument("--steps", type=int, default=1000)
    p.add_argument("--minutes", type=float, help="ends sooner than --steps when this much time is over")
    p.add_argument("--decay", type=float, default=0.2, help="last share of the steps (or minutes), over which the rate falls to zero")
    p.add_argument("--rate", type=float, default=2e-3)
    p.add_argument("--warm-up", type=int, default=100)
    p.add_argument("--tokens", type=int, default=2000, help="visual tokens a batch")
    p.add_argument("--most", type=int, default=1200, help="visual tokens an image, at most")
    p.add_argument("--hide", type=float, default=0.08, help="share of the text's tokens replaced in the input, half of them in runs")
    p.add_argument("--own", type=float, default=0.0, help="share of the text's tokens in the input taken from the model's own predictions")
    p.add_argument("--points", type=float, default=1.0, help="weight of the characters-at-points loss")
    p.add_argument("--pointers", type=float, default=0.3, help="weight of the pointers' loss")
    p.add_argument("--repeats", type=int, default=1, help="how often a batch is used, on average")
    p.add_argument("--beside", help="the --out of another run at the same time: every 25 steps the weights become the mean of both")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--workers", type=int, default=1)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--evaluate-every", type=int, default=500)
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return p.parse_args()


def special_ids(tokenizer):
    return {t: tokenizer.token_to_id(t) for t in ("<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|endoftext|>")}


class Muon(torch.optim.Muon):
    """torch's Muon, with the matrices of one shape computed together: a GPU is asked 400 times a step instead of 4,000."""

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            weights = [p for p in group["params"] if p.grad is not None]
            gradients = [p.grad for p in weights]
            kept = [self.state[p].setdefault("momentum_buffer", torch.zeros_like(p)) for p in weights]
            torch._foreach_lerp_(kept, gradients, 1 - group["momentum"])
            updates, shapes = torch._foreach_lerp(gradients, kept, group["momentum"]), {}
            for p, update in zip(weights, updates):
                shapes.setdefault(p.shape, ([], []))[0].append(p)
                shapes[p.shape][1].append(update)
            torch._foreach_mul_(weights, 1 - group["lr"] * group["weight_decay"])
            for (rows, columns), (these, updates) in shapes.items():
                turns = orthogonal(torch.stack(updates).bfloat16(), group)
                torch._foreach_add_(these, [t.float() for t in turns], alpha=-group["lr"] * 0.2 * max(rows, columns) ** 0.5)


def orthogonal(matrices, group):
    """Newton and Schulz's iteration on (B, rows, columns), as torch's Muon does it on each."""
    a, b, c = group["ns_coefficients"]
    upright = matrices.shape[1] > matrices.shape[2]
    x = matrices.mT if upright else matrices
    x = x / x.norm(dim=(1, 2), keepdim=True).clamp(min=group["eps"])
    for _ in range(group["ns_steps"]):
        square = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(square, square, square, beta=b, alpha=c), x, beta=a)
    return x.mT if upright else x


def optimizers(model, rate):
    """Muon for the matrices of the layers, AdamW for the rest."""
    matrices, rest = [], []
    for name, p in model.named_parameters():
        inner = p.dim() == 2 and not name.startswith(("embed_tokens", "points", "vision.embed"))
        (matrices if inner else rest).append(p)
    return [Muon(matrices, lr=rate, weight_decay=0.02, momentum=0.95, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(rest, lr=rate, betas=(0.9, 0.98), weight_decay=0.01)]


def see(model, batch, device):
    pixels = batch["images"].to(device).to(torch.bfloat16) / 127.5 - 1
    return model.vision(pixels)


def points_loss(model, visual, labels):
    """Cross entropy of the characters at the points of each visual token; ground counts a fifth."""
    logits = model.points(visual).view(-1, CLASS_COUNT).float()
    target = labels.reshape(-1).long()
    keep = ((target != 0) | (torch.rand(target.shape, device=target.device) < 0.2)) & (target != UNKNOWN)
    return F.cross_entropy(logits, target.where(keep, data.IGNORE)), share_of((logits.argmax(1) != target), (target > 1) & (target != UNKNOWN))


def share_of(wrong, counted):
    """Of the places that are counted, how many are wrong; asked so that a GPU need not be waited for."""
    return (wrong & counted).sum() / counted.sum()


def pointer_loss(scores, first, last):
    """-log of the attention that falls on the visual tokens which the text token was read from."""
    known = (first >= 0) & (last >= 0)
    logp = F.log_softmax(scores.float(), -1)
    a, b = (logp.gather(2, at.clamp(min=0)[..., None])[..., 0] for at in (first, last))
    both = torch.where(first == last, a, torch.logaddexp(a, b))
    return -torch.where(known, both, 0).sum() / known.sum().clamp(min=1)


def hidden_tokens(shape, share, device):
    """Which text tokens are replaced in the input: half of the share alone, half in runs, as a reader's own errors come
    that lost its place: what is seen must lead it back. The share itself varies from text to text."""
    share = share * 2 * torch.rand((shape[0], 1), device=device)
    alone = torch.rand(shape, device=device) < share / 2
    ends = (torch.rand(shape, device=device) < share / 2 / HIDDEN_RUN).float()
    runs = F.max_pool1d(F.pad(ends, (0, HIDDEN_RUN - 1))[:, None], HIDDEN_RUN, stride=1)[:, 0] > 0
    return alone | runs


@torch.no_grad()
def predicted(model, visual, before, tokens, rows, columns):
    """A token drawn from what the model expects after each of `tokens` but the last."""
    hidden, _ = model(visual, before, tokens[:, :-1], rows, columns)
    expected = model.logits(hidden[:, 1:]).float()
    return (expected - torch.empty_like(expected).exponential_().log_()).argmax(-1)  # drawn by Gumbel's rule


def reading_losses(model, visual, batch, special, hide, own, device):
    text, rows, columns = batch["text"].to(device), batch["rows"], batch["columns"]
    count = text.shape[0]
    fixed = lambda name: torch.full((count,), special[name], device=device)
    before = torch.stack((fixed("<|im_start|>"), fixed("<|vision_start|>")), 1)
    head = torch.stack((fixed("<|vision_end|>"), batch["questions"].to(device)), 1)
    known = text != data.IGNORE
    inputs = torch.where(known, text, special["<|endoftext|>"])
    swap = hidden_tokens(inputs.shape, hide, device)
    if own:  # errors as the model makes them: fluent
        said = predicted(model, visual.detach(), before, torch.cat((head, inputs), 1), rows, columns)
        inputs = torch.where(known & (torch.rand(inputs.shape, device=device) < own), said, inputs)
    inputs = torch.where(swap, torch.randint(0, 2000, inputs.shape, device=device), inputs)
    hidden, scores = model(visual, before, torch.cat((head, inputs), 1), rows, columns)
    end = torch.full((count, 1), data.IGNORE, device=device)
    labels = torch.cat((text, end), 1).scatter(1, known.sum(1, keepdim=True), special["<|im_end|>"])
    logits = model.logits(hidden[:, 1:]).float()
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
    wrong = share_of(logits.argmax(2) != labels, labels != data.IGNORE)
    first, last = batch["first"].to(device), batch["last"].to(device)
    following = pointer_loss(scores["next"][:, 1:-1], first, last)
    now = pointer_loss(scores["now"][:, 2:], torch.where(swap, -1, last), last)
    return loss, wrong, following, now


@torch.no_grad()
def read(model, batch, special, longest):
    """Greedy texts of a batch, as token ids; the language model runs over everything at each token."""
    visual = see(model, batch, "cpu")
    count = visual.shape[0]
    before = torch.tensor([special["<|im_start|>"], special["<|vision_start|>"]]).expand(count, 2)
    text = torch.stack((torch.full((count,), special["<|vision_end|>"]), batch["questions"]), 1)
    done = torch.zeros(count, dtype=torch.bool)
    for _ in range(longest):
        hidden, _ = model(visual, before, text, batch["rows"], batch["columns"])
        token = model.logits(hidden[:, -1]).argmax(1)
        text = torch.cat((text, token[:, None]), 1)
        done |= token == special["<|im_end|>"]
        if done.all():
            break
    return text[:, 2:].tolist()


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def evaluate(model, sets, special, tokenizer):
    model.eval()
    out = {}
    for name, batch in sets.items():
        texts = read(model, batch, special, int(batch["text"].shape[1] * 1.3) + 4)
        wrong = total = 0
        for ids, truth in zip(texts, batch["truth"]):
            end = special["<|im_end|>"]
            said = tokenizer.decode(ids[:ids.index(end)] if end in ids else ids)
            wrong += edit_distance(said, truth)
            total += len(truth)
        out["cer_" + name] = round(wrong / total, 4)
    model.train()
    return out


def held_out(tokenizer):
    """Small sets of unseen text in unseen fonts, and in seen ones."""
    prose, sets = paragraphs(held_out=True), {}
    for name, rows, columns, count, fonts in (("line", 1, 16, 24, False), ("line_new_font", 1, 16, 24, True), ("block", 4, 16, 12, False)):
        rng = sample.seeded("held out", name)
        sets[name] = data.collate([sample.make(rng, prose, rows, columns, "crop", fonts) for _ in range(count)], tokenizer, rows, columns, "crop")
    return sets


def rate_at(step, done, args):
    """Share of the full rate; done: the share of the run that is over."""
    return min(1.0, (step + 1) / args.warm_up, (1 - done) / args.decay)


def save(model, optimizers_, step, out):
    torch.save({"model": model.state_dict(), "optimizers": [o.state_dict() for o in optimizers_], "step": step}, out + "/state.tmp")
    os.replace(out + "/state.tmp", out + "/state.pt")
    tensors = {name: t.to(torch.bfloat16).contiguous() for name, t in network.export(model).items()}
    save_file(tensors, out + "/model.safetensors", {"format": "pt"})


@torch.no_grad()
def meet(model, out, beside):
    """Leaves the weights for the run in `beside` and takes the mean with what that run left: two processes, one training."""
    torch.save([p.data for p in model.parameters()], out + "/shared.tmp")
    os.replace(out + "/shared.tmp", out + "/shared.pt")
    if os.path.exists(beside + "/shared.pt"):
        for mine, other in zip(model.parameters(), torch.load(beside + "/shared.pt")):
            mine.lerp_(other, 0.5)


def main():
    args = parse()
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(args.seed)
    os.makedirs(args.out, exist_ok=True)
    dataset = data.Batches(args.seed, args.mix, args.tokens, args.most, args.steps)
    tokenizer = dataset.tokenizer
    special = special_ids(tokenizer)
    model = network.Reader(network.SHAPES[args.shape], CLASS_COUNT, SLOTS).to(args.device)
    sets = held_out(tokenizer)
    optimizers_, step, new_points = optimizers(model, args.rate), 0, False
    if os.path.exists(args.out + "/state.pt"):
        state = torch.load(args.out + "/state.pt")
        model.load_state_dict(state["model"])
        for o, s in zip(optimizers_, state["optimizers"]):
            o.load_state_dict(s)
        step = state["step"]
    elif args.source:
        if os.path.exists(args.source + "/state.pt"):
            model.load_state_dict(torch.load(args.source + "/state.pt")["model"])
        else:
            network.load(model, load_file(args.source + "/model.safetensors"))
            new_points = True  # the published weights are without this head: it learns alone at first
    model.train()
    log = open(args.out + "/log.jsonl", "a", buffering=1)
    sums, seen, began = {}, {"step": 0, "characters": 0}, time.time()
    start, done = began, 0.0
    for batch in data.with_repeats(data.loader(dataset, step // args.repeats, args.workers), args.repeats, step):
        done = step / args.steps
        if args.minutes:
            done = max(done, (time.time() - start) / 60 / args.minutes)
        if done >= 1:
            break
        factor = rate_at(step, done, args)
        for o in optimizers_:
            for group in o.param_groups:
                group["lr"] = args.rate * factor
        visual = see(model, batch, args.device)
        seen_there = visual.detach() if new_points and step < args.warm_up else visual
        seeing, wrong_points = points_loss(model, seen_there, batch["labels"].to(args.device))
        loss, parts = args.points * seeing, {"points": seeing, "points_wrong": wrong_points}
        if not args.vision_only:
            reading, wrong, following, now = reading_losses(model, visual, batch, special, args.hide, args.own, args.device)
            loss = loss + reading + args.pointers * (following + now)
            parts |= {"lm": reading, "lm_wrong": wrong, "next": following, "now": now}
        for o in optimizers_:
            o.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for o in optimizers_:
            o.step()
        step += 1
        if args.beside and step % 25 == 0:
            meet(model, args.out, args.beside)
        for name, value in parts.items():
            sums[name] = sums.get(name, 0) + float(value.detach())
        seen["step"] += 1
        seen["characters"] += sum(map(len, batch["truth"]))
        if step % 50 == 0 or step == args.steps:
            line = {"step": step, "mix": args.mix, "seconds": round(time.time() - began, 1), "characters": seen["characters"],
                    "rate": round(args.rate * factor, 6)} | {k: round(v / seen["step"], 4) for k, v in sums.items()}
            if not args.vision_only and (step % args.evaluate_every == 0 or step == args.steps):
                line |= evaluate(model, sets, special, tokenizer)
            log.write(json.dumps(line) + "\n")
            print(json.dumps(line), flush=True)
            sums, seen, began = {}, {"step": 0, "characters": 0}, time.time()
        if step % 250 == 0:
            save(model, optimizers_, step, args.out)
    if args.beside:
        meet(model, args.out, args.beside)
    save(model, optimizers_, step, args.out)


if __name__ == "__main__":
    random.seed(0)
    np.random.seed(0)
    main()
