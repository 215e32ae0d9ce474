"""Trains the model that reads pages, a slice at a time: python pages.py --runs FOLDER --minutes 9 [--device cuda]

It goes on from FOLDER/state-a.pt, or from FOLDER/pages-*.safetensors, or else from the built-in model; it ends with what the next one needs, also upon SIGTERM, and makes one step at least, however little of
the machine it gets. Which pages it draws follows from the characters that were read in training so far (CURRICULUM).
`make_pages` runs slices one after another."""

import argparse
import glob
import json
import os
import random
import signal
import time

import numpy as np
import torch
from rapidfuzz.distance import Levenshtein
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

import data
import errors
import markup
import network
import reader
import sample
import tokenizer as tokenizers_
import train
from synth import fonts
from synth.formulas import Formulas
from synth.text import paragraphs

HERE = os.path.dirname(os.path.abspath(__file__))
# (characters of training, mix, visual tokens an image at most)
CURRICULUM = ((0, "strips", 500), (2_500_000, "halves", 1200), (40_000_000, "pages", 3700))
# (characters of training, share of the rate), with a line between each two: it falls, and is raised and falls again twice
FALLING_RATE = ((41_800_000, 1.0), (47_200_000, 0.05), (47_400_000, 0.6), (50_000_000, 0.05), (51_000_000, 0.05),
                (51_200_000, 1.0), (56_000_000, 0.05))
PART_BYTES = 14 * 2**20
SCALE = ".scale"
POINTS = "train.points.weight", "train.points.bias"  # the training head, which the shipped model has not


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--runs", required=True, help="folder of the state and the log")
    p.add_argument("--shape", choices=("pages-small", "pages"), help="pages-small on a CPU, pages on a GPU; a smaller start is grown")
    p.add_argument("--minutes", type=float, default=9, help="wall clock of the slice, its start and its end included")
    p.add_argument("--keep-every", type=float, default=9, help="minutes between states kept within a longer slice")
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("--tokens", type=int, help="visual tokens a batch; 2000 on a CPU, 30000 on a GPU")
    p.add_argument("--rate", type=float, help="of learning; 8e-4 on a CPU, 2e-3 on a GPU")
    p.add_argument("--warm-up", type=int, default=40, help="steps of a slice without an optimizer's state over which the rate rises")
    p.add_argument("--fall", type=float, nargs=2, default=(1, 1), metavar=("FROM", "TO"), help="shares of the rate at the slice's "
                   "beginning and end; `1 0` ends the training")
    p.add_argument("--hard", type=float, default=0.5, help="share of the samples set and scanned as in synth/harder.py")
    p.add_argument("--hide", type=float, default=0.1)
    p.add_argument("--own", type=float, default=0.25)
    p.add_argument("--points", type=float, default=0.5)
    p.add_argument("--pointers", type=float, default=0.5)
    p.add_argument("--mix", choices=data.MIXES, help="instead of the curriculum's")
    p.add_argument("--process", default="a", help="a or b: which of two processes that train together")
    p.add_argument("--together", action="store_true", help="every 5 steps the weights become the mean of both processes")
    p.add_argument("--evaluate-every", type=float, default=40, help="minutes of training between errors on held-out pages")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--repeats", type=int, default=1, help="how often a batch is used: 2 where drawing takes longer than learning")
    p.add_argument("--workers", type=int, help="processes that draw pages; 0 on a CPU, one less than there are cores on a GPU")
    args = p.parse_args()
    gpu = args.device != "cpu"
    args.shape = args.shape or ("pages" if gpu else "pages-small")
    args.tokens = args.tokens or (30_000 if gpu else 2000)
    args.rate = args.rate or (2e-3 if gpu else 8e-4)
    args.workers = (os.cpu_count() - 1 if gpu else 0) if args.workers is None else args.workers
    return args


def init_coordinates(model, first, count):
    """Coordinates begin with vectors that change slowly from one to the next, as long as other tokens' are."""
    turns = torch.arange(count)[:, None] / torch.logspace(0.3, 2.8, model.shape.width // 2)
    waves = torch.cat((turns.sin(), turns.cos()), 1) @ torch.randn(model.shape.width, model.shape.width)
    usual = model.embed_tokens.weight[:2000].norm(dim=1).mean()
    with torch.no_grad():
        model.embed_tokens.weight[first:first + count] = waves / waves.norm(dim=1, keepdim=True) * usual


@torch.no_grad()
def spell_new_tokens(model, first):
    """Tokens from `first` on begin as the mean of the tokens that spell them."""
    with_new = tokenizers_.for_pages(data.TOKENIZER)
    bare = Tokenizer.from_str(json.dumps(json.loads(with_new.to_str()) | {"added_tokens": []}))
    for number in range(first, with_new.get_vocab_size()):
        pieces = bare.encode(with_new.id_to_token(number)).ids
        model.embed_tokens.weight[number] = model.embed_tokens.weight[pieces].mean(0)


def exported(model, weights):
    """{name: tensor} of what is kept for good, as Qwen2.5-VL's files name it, and the points' head; `weights`: {name of the
    parameter: value}, a moving average."""
    own = {n: p.detach().clone() for n, p in model.named_parameters()}
    with torch.no_grad():
        for n, p in model.named_parameters():
            p.copy_(weights[n])
        out = network.parameters_by_published_name(model) | dict(zip(POINTS, (model.points.weight, model.points.bias)))
        out = {n: p.detach().float().cpu().clone() for n, p in out.items()}
        for n, p in model.named_parameters():
            p.copy_(own[n])
    return out


def quantized(tensors):
    """Matrices as 8-bit integers with a scale for each row: half the size of bf16, and a start for training no worse."""
    out = {}
    for name, t in tensors.items():
        if t.dim() == 2:
            scale = t.abs().amax(1, keepdim=True).clamp_min(1e-12) / 127
            out[name], out[name + SCALE] = (t / scale).round().to(torch.int8), scale
        else:
            out[name] = t
    return out


def save_parts(tensors, folder, progress):
    """pages-1.safetensors and so on, each of at most PART_BYTES; `progress`: counts that the next slice goes on from."""
    tensors, parts, size = quantized(tensors), [{}], 0
    for name in sorted(tensors):
        bytes_ = tensors[name].numel() * tensors[name].element_size()
        if size + bytes_ > PART_BYTES:
            parts.append({})
            size = 0
        parts[-1][name] = tensors[name].contiguous()
        size += bytes_
    for path in sorted(glob.glob(os.path.join(folder, "pages-*.safetensors")))[len(parts):]:
        os.remove(path)
    for number, part in enumerate(parts, 1):
        path = os.path.join(folder, f"pages-{number}.safetensors")
        save_file(part, path + ".tmp", {"format": "pt", **{k: str(v) for k, v in progress.items()}})
        os.replace(path + ".tmp", path)


def metadata(path):
    with open(path, "rb") as file:
        return json.loads(file.read(int.from_bytes(file.read(8), "little")))["__metadata__"]


def load_parts(folder):
    """(tensors, progress) of a folder's parts, or None."""
    found, progress = {}, {}
    for path in sorted(glob.glob(os.path.join(folder, "pages-*.safetensors"))):
        found |= load_file(path)
        progress = metadata(path)
    tensors = {n: t.float() * found[n + SCALE] if n + SCALE in found else t for n, t in found.items() if not n.endswith(SCALE)}
    return (tensors, {k: int(v) for k, v in progress.items() if k != "format"}) if tensors else None


def restore(args, model, optimizers):
    """Fills the model. Returns the moving average of the weights and the training's progress: "optimizer_start" is the step
    at which the optimizers began, "new_head" whether the points' head was new then."""
    state_path = os.path.join(args.runs, f"state-{args.process}.pt")
    progress = {"step": 0, "characters": 0, "seconds": 0, "cpu": 0, "optimizer_start": 0, "new_head": 0}
    state = torch.load(state_path, map_location=args.device, weights_only=True) if os.path.exists(state_path) else {}
    if state.get("shape") == args.shape:
        model.load_state_dict(state["model"])
        for o, s in zip(optimizers, state["optimizers"]):
            o.load_state_dict(s)
        return state["ema"], state["progress"]
    found = load_parts(args.runs)
    if found:
        tensors, progress = found
        progress["new_head"] = int(POINTS[0] not in tensors)
        if not progress["new_head"]:
            with torch.no_grad():
                model.points.weight.copy_(tensors[POINTS[0]])
                model.points.bias.copy_(tensors[POINTS[1]])
    else:  # the built-in model, which has no head for points
        path = os.path.join(HERE, "..", "model.safetensors")
        tensors, counts = load_file(path), {k: int(v) for k, v in metadata(path).items() if k in progress}
        progress |= counts | {"new_head": 1}
    progress["optimizer_start"] = progress["step"]
    if f"model.layers.{model.shape.layers - 1}.input_layernorm.weight" not in tensors:
        tensors = network.grow(tensors)
    network.load(model, tensors)
    spell_new_tokens(model, tensors["model.embed_tokens.weight"].shape[0])
    return {n: p.detach().clone() for n, p in model.named_parameters()}, progress


def save(args, model, optimizers, ema, progress):
    path = os.path.join(args.runs, f"state-{args.process}.pt")
    torch.save({"shape": args.shape, "model": model.state_dict(), "optimizers": [o.state_dict() for o in optimizers], "ema": ema,
                "progress": progress}, path + ".tmp")
    os.replace(path + ".tmp", path)
    if args.process == "a":
        save_parts(exported(model, ema), args.runs, {k: round(progress[k]) for k in progress})


class WeightAveraging:
    """Two processes, one training: each leaves its weights for the other and takes the mean with what is new of the other's."""

    def __init__(self, args):
        self.mine, self.other = (os.path.join(args.runs, f"weights-{p}.pt") for p in (args.process, "b" if args.process == "a" else "a"))
        self.met = time.time_ns()

    @torch.no_grad()
    def average(self, model):
        torch.save([p.data for p in model.parameters()], self.mine + ".tmp")
        os.replace(self.mine + ".tmp", self.mine)
        if os.path.exists(self.other) and os.stat(self.other).st_mtime_ns > self.met:
            self.met = os.stat(self.other).st_mtime_ns
            for p, other in zip(model.parameters(), torch.load(self.other, weights_only=True)):
                p.lerp_(other, 0.5)


def stage_at(args, characters):
    if args.mix:
        return next(((m, most) for _, m, most in CURRICULUM if m == args.mix), (args.mix, 1200))
    return [(m, most) for start_, m, most in CURRICULUM if characters >= start_][-1]


def share_of_rate(characters):
    """Follows FALLING_RATE: constant before its first and after its last point."""
    return float(np.interp(characters, *zip(*FALLING_RATE)))


def batches(args, progress, tokenizer, prose, formulas):
    """(mix, batch) without end, of the stage that the training has come to."""
    while True:
        mix, most = stage_at(args, progress["characters"])
        dataset = data.Batches(f"{args.seed}{args.process}", mix, args.tokens, most, 10**9, tokenizer, prose, args.hard, formulas)
        made = data.loader(dataset, progress["step"], args.workers)
        for batch in data.with_repeats(made, args.repeats, progress["step"], 64) if args.repeats > 1 else made:
            yield mix, batch
            if stage_at(args, progress["characters"])[0] != mix:
                break


HELD_OUT = (("crop", 4, 24, 6), ("one", 12, 24, 3), ("two", 18, 34, 2), ("one", 40, 32, 1))


@torch.no_grad()
def evaluate(model, ema, special, tokenizer, prose, late):
    """Character error rates by greedy reading on a few held-out crops and pages, with the moving average of the weights; of as
    many sets as can be read before `late()` is true."""
    own = {n: p.detach().clone() for n, p in model.named_parameters()}
    for n, p in model.named_parameters():
        p.copy_(ema[n])
    model.eval()
    out = {}
    for kind, rows, columns, count in HELD_OUT:
        rng = sample.seeded("held out pages", kind, rows)
        made = [sample.make(rng, prose, rows, columns, kind, i % 2 == 1, i % 3, random_share=0.1) for i in range(count)]
        questions = torch.tensor([tokenizer.token_to_id(data.question(s, kind)) for s in made])
        longest = int(max(len(tokenizer.encode(s["truth"]).ids) for s in made) * 1.3) + 8
        images = torch.from_numpy(np.stack([s["image"] for s in made]))
        try:
            said = reader.read(model, images, questions, special, longest, rows, columns, late)
        except TimeoutError:
            break
        said = [tokenizer.decode(ids, skip_special_tokens=False) for ids in said]
        name = f"{kind}_{rows}x{columns}"
        if kind == "crop":
            wrong = sum(Levenshtein.distance(a, s["truth"]) for a, s in zip(said, made))
            out[f"cer_{name}"] = round(wrong / sum(len(s["truth"]) for s in made), 4)
            continue
        found = errors.summary([errors.of_page(markup.parse(a), markup.parse(s["truth"])) for a, s in zip(said, made)])
        out |= {f"{key}_{name}": found[key] for key in ("cer", "order", "boxes", "teds", "ran_away")}
    for n, p in model.named_parameters():
        p.copy_(own[n])
    model.train()
    return out


def losses(model, batch, special, args, alone):
    """(loss, its parts). alone: the points' head learns by itself, being new."""
    batch = {k: v.to(args.device, non_blocking=True) if torch.is_tensor(v) else v for k, v in batch.items()}
    visual = train.see(model, batch, args.device)
    if batch["labels"] is None:  # of formulas
        seeing = wrong = visual.new_zeros(())
    else:
        seeing, wrong = train.points_loss(model, visual.detach() if alone else visual, batch["labels"])
    reading, wrong_tokens, following, now = train.reading_losses(model, visual, batch, special, args.hide, args.own, args.device)
    loss = args.points * seeing + reading + args.pointers * (following + now)
    return loss, {"points": seeing, "points_wrong": wrong, "lm": reading, "lm_wrong": wrong_tokens, "next": following, "now": now}


def main():
    args, began = parse(), time.time()
    stop = []
    signal.signal(signal.SIGTERM, lambda *_: stop.append(1))
    signal.signal(signal.SIGINT, lambda *_: stop.append(1))
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.backends.cuda.enable_cudnn_sdp(False)  # it plans anew for each size of page: .2 s a step
    os.makedirs(args.runs, exist_ok=True)
    tokenizer = tokenizers_.for_pages(data.TOKENIZER)
    special = train.special_ids(tokenizer)
    torch.manual_seed(args.seed)
    model = network.Reader(network.SHAPES[args.shape], train.CLASS_COUNT, train.SLOTS)
    init_coordinates(model, tokenizer.token_to_id("<|0|>"), markup.COORDINATES)
    model.to(args.device)
    optimizers = train.optimizers(model, args.rate)
    ema, progress = restore(args, model, optimizers)
    first_step, progress["waited"] = progress["step"], 0
    torch.manual_seed(args.seed * 1_000_003 + first_step * 2 + (args.process == "b"))
    model.train()
    prose = os.path.join(args.runs, "prose.json.gz")
    set_by_tex = os.path.join(args.runs, "formulas")
    formulas = Formulas(set_by_tex) if os.path.isdir(set_by_tex) else None
    averaging = WeightAveraging(args) if args.together else None
    sums, marked, spent, spent_cpu = {}, dict(progress), time.time(), time.process_time()
    rounds = int(progress["seconds"] / 60 / args.evaluate_every)
    due = args.process == "a" and int((progress["seconds"] / 60 + args.minutes) / args.evaluate_every) > rounds
    kept, deadline, slow = began, began + args.minutes * 60 - (5 if not due else 120 if args.device == "cpu" else 45), 15.0
    fonts.families(False)  # read once, before there are workers
    for mix, batch in batches(args, progress, tokenizer, paragraphs(False, prose), formulas):
        step_began = time.time()
        progress["waited"] += step_began - spent  # for a batch
        if stop or (progress["step"] > first_step and time.time() + 2 * slow > deadline):
            break
        done = (time.time() - began) / 60 / args.minutes
        warm = (progress["step"] - progress["optimizer_start"] + 1) / args.warm_up
        factor = min(1.0, warm) * (1.0 if args.mix else share_of_rate(progress["characters"]))
        factor *= max(0.02, args.fall[0] + (args.fall[1] - args.fall[0]) * done)
        for o in optimizers:
            for group in o.param_groups:
                group["lr"] = args.rate * factor
            o.zero_grad(set_to_none=True)
        loss, parts = losses(model, batch, special, args, progress["new_head"] and warm < 1)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for o in optimizers:
            o.step()
        progress["step"] += 1
        progress["characters"] += sum(map(len, batch["truth"])) * (2 if args.together else 1)
        progress["seconds"] += time.time() - spent
        progress["cpu"] += time.process_time() - spent_cpu
        spent, spent_cpu = time.time(), time.process_time()
        with torch.no_grad():
            keep = min(0.996, progress["step"] / (progress["step"] + 20))
            torch._foreach_lerp_([ema[n] for n, _ in model.named_parameters()], list(model.parameters()), 1 - keep)
        if averaging and progress["step"] % 5 == 0:
            averaging.average(model)
        for name, value in parts.items():
            sums[name] = sums.get(name, 0) + value.detach()  # read in `report` alone: a GPU is not waited for at each step
        slow = max(slow * 0.9, time.time() - step_began)
        if time.time() - kept > 60 * args.keep_every:
            save(args, model, optimizers, ema, progress)
            kept = time.time()
        if progress["step"] % 50 == 0:
            report(args, progress, marked, sums, mix, args.rate * factor)
            sums, marked = {}, dict(progress)
    if progress["step"] > marked["step"]:
        report(args, progress, marked, sums, mix, optimizers[0].param_groups[0]["lr"])
    if averaging:
        averaging.average(model)
    save(args, model, optimizers, ema, progress)
    if due:
        late = lambda: stop or time.time() > began + 60 * args.minutes - 3
        write(args, {"step": progress["step"], "characters": progress["characters"]}
              | evaluate(model, ema, special, tokenizer, paragraphs(True, prose), late))


def report(args, progress, marked, sums, mix, rate):
    steps = progress["step"] - marked["step"]
    write(args, {"step": progress["step"], "mix": mix, "seconds": round(progress["seconds"] - marked["seconds"], 1),
                 "waited": round(progress["waited"] - marked["waited"], 1),
                 "cpu_seconds": round(progress["cpu"] - marked["cpu"], 1), "characters": progress["characters"],
                 "rate": round(rate, 6), "device": args.device} | {k: round(float(v) / steps, 4) for k, v in sums.items()})


def write(args, line):
    if args.process == "a":
        with open(os.path.join(args.runs, "log-pages.jsonl"), "a") as file:
            file.write(json.dumps(line) + "\n")
    print(args.process, json.dumps(line), flush=True)


if __name__ == "__main__":
    random.seed(0)
    np.random.seed(0)
    main()
