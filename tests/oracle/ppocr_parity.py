#!/usr/bin/env python3
"""docspec's PP-OCRv6 small beside transformers 5.17 (networks) and rapidocr 3.10 (whole pages).

    ppocr_parity.py nets  WEIGHTS DOCSPEC_PPOCR PAGE.png...    logits of 50 lines, maps of the pages, f32
    ppocr_parity.py pages WEIGHTS DOCSPEC_PPOCR PAGE.png...    lines found and their text, f32 and fastest

rapidocr shrinks a page to 2000 pixels first; `pages` gives both the shrunk page. Where LANG-KIND-N.txt stands beside a
page of tests/bench/ocr_pages.py, it reports both's character errors, too.

WEIGHTS: the folder of packaging/ocr/convert.py; DOCSPEC_PPOCR: the target docspec_ppocr. Prints JSON.
"""
import json
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np


def load_transformers(weights):
    import torch
    from safetensors.torch import load_file
    from transformers import PPOCRV6SmallDetConfig, PPOCRV6SmallDetForObjectDetection
    from transformers import PPOCRV6SmallRecConfig, PPOCRV6SmallRecForTextRecognition
    tensors = load_file(os.path.join(weights, "model.safetensors"))
    config = json.load(open(os.path.join(weights, "config.json")))
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    used = set()

    def put(name, module):
        used.update([name + ".weight", name + ".bias"])
        module.weight.data = tensors[name + ".weight"].reshape(module.weight.shape).clone()
        if module.bias is None:
            module.bias = torch.nn.Parameter(tensors[name + ".bias"].clone())
        else:
            module.bias.data = tensors[name + ".bias"].clone()

    def fold(name, layer, norm="normalization"):
        """A convolution whose normalisation is folded into it."""
        put(name, layer.convolution)
        setattr(layer, norm, torch.nn.Identity())

    def put_squeeze(name, first, second):
        put(name + ".squeeze", first)
        put(name + ".excite", second)

    def backbone_config(net):
        stages, blocks = [], config[net]["strides"]
        for i, stride in enumerate(blocks):
            name = f"{net}.blocks.{i}"
            channels, out = tensors[name + ".expand.weight"].shape[1], tensors[name + ".reduce.weight"].shape[0]
            if stride != [1, 1] or not stages:
                stages.append([])
            pair = stride[0] if stride[0] == stride[1] else tuple(stride)
            stages[-1].append([3, channels, out, pair, name + ".squeeze.weight" in tensors])
        while len(stages) < 4:  # transformers wants four; where they part matters to the detector alone
            longest = max(range(len(stages)), key=lambda i: len(stages[i]))
            stages[longest : longest + 1] = [stages[longest][:2], stages[longest][2:]]
        stem = [tensors[f"{net}.stem.{i}.weight"].shape[0] for i in ("1", "4")]
        return stages, [3, *stem]

    def put_backbone(net, encoder):
        for name in ("1", "2a", "2b", "3", "4"):
            fold(f"{net}.stem.{name}", getattr(encoder.convolution, "stem" + name))
        at = 0
        for stage in encoder.blocks:
            for block in stage.blocks:
                name = f"{net}.blocks.{at}"
                if hasattr(block.token_conv, "convolution"):
                    fold(name + ".token", block.token_conv)
                else:
                    put(name + ".token", block.token_conv)
                if name + ".squeeze.weight" in tensors:
                    put_squeeze(name, block.token_squeeze_excitation.convolutions[0],
                                block.token_squeeze_excitation.convolutions[2])
                fold(name + ".expand", block.channel_conv1)
                fold(name + ".reduce", block.channel_conv2)
                at += 1

    def net_config(cls, net, **more):
        stages, stem = backbone_config(net)
        features = [f"stage{i + 1}" for i in range(len(stages))]
        return cls(backbone_config={"model_type": "pp_lcnet_v4", "block_configs": stages, "stem_channels": stem,
                                    "out_features": features}, **more)

    rec = PPOCRV6SmallRecForTextRecognition(
        net_config(PPOCRV6SmallRecConfig, "rec", head_out_channels=tensors["rec.head.weight"].shape[0])).eval()
    put_backbone("rec", rec.model.backbone.encoder)
    for i, name in enumerate(("skip", "reduce", "local")):
        fold("rec.neck." + name, rec.head.encoder.conv_block[i])
    for i, block in enumerate(rec.head.encoder.svtr_block):
        name = f"rec.layers.{i}."
        put(name + "norm1", block.layer_norm1)
        put(name + "qkv", block.self_attn.qkv)
        put(name + "out", block.self_attn.projection)
        put(name + "norm2", block.layer_norm2)
        put(name + "up", block.mlp.fc1)
        put(name + "down", block.mlp.fc2)
    put("rec.norm", rec.head.encoder.norm)
    put("rec.head", rec.head.head)

    det = PPOCRV6SmallDetForObjectDetection(
        net_config(PPOCRV6SmallDetConfig, "det", layer_list_out_channels=[48, 96, 192, 384])).eval()
    put_backbone("det", det.model.backbone.encoder)
    for i in range(4):
        insert, token = det.model.neck.insert_conv[i], det.model.neck.input_conv[i]
        put(f"det.neck.{i}.insert", insert.in_conv)
        put_squeeze(f"det.neck.{i}.insert", insert.squeeze_excitation_block.conv1, insert.squeeze_excitation_block.conv2)
        put(f"det.neck.{i}.token", token.depthwise_convolution)
        put(f"det.neck.{i}.channel", token.pointwise_convolution)
        put_squeeze(f"det.neck.{i}.channel", token.squeeze_excitation_module.conv1, token.squeeze_excitation_module.conv2)
    fold("det.head.down", det.head.conv_down, "norm")
    fold("det.head.up", det.head.conv_up, "norm")
    put("det.head.final", det.head.conv_final)
    left = set(tensors) - used
    assert not left, left
    return rec, det


def run(program, what, weights, inputs, height_of):
    out = []
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for i, image in enumerate(inputs):
            image.astype(np.float32).tofile(f"{folder}/{i}.in")
            arguments += [str(image.shape[2]), str(image.shape[1]), f"{folder}/{i}.in", f"{folder}/{i}.out"]
        subprocess.run([program, what, weights, *arguments], check=True)
        for i, image in enumerate(inputs):
            out.append(np.fromfile(f"{folder}/{i}.out", np.float32).reshape(height_of(image), -1))
    return out


def normalised(image):
    return (image.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)


def page_lines(program, weights, pages, side, precision):
    done = subprocess.run([program, "page", weights, str(side), precision, *pages], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def decode(logits, names):
    best = logits.argmax(1)
    keep = (best != 0) & np.append(True, best[1:] != best[:-1])
    return "".join(names[k] for k in best[keep])


def nets(weights, program, pages):
    import torch
    rec, det = load_transformers(weights)
    names = ["", *open(os.path.join(weights, "characters.txt"), encoding="utf-8").read().split("\n")[:-1], " "]
    kept = {}
    rec.head.head.register_forward_hook(lambda module, inputs, output: kept.update(logits=output))
    lines = []
    for page, found in zip(pages, page_lines(program, weights, pages, 1280, "fastest")):
        image = cv2.imread(page)
        for line in found["lines"][: 50 // len(pages) + 1]:
            (x0, y0), (x1, y1) = np.min(line["box"], 0), np.max(line["box"], 0)
            crop = image[max(0, int(y0)) : int(y1), max(0, int(x0)) : int(x1)]
            width = max(96, -(-int(48 * crop.shape[1] / crop.shape[0]) // 32) * 32)
            lines.append(normalised(cv2.resize(crop, (width, 48))))
    lines = lines[:50]
    ours = run(program, "rec", weights, lines, lambda image: image.shape[2] // 8)
    worst, equal = 0.0, 0
    for image, logits in zip(lines, ours):
        rec(torch.from_numpy(image)[None])
        theirs = kept["logits"][0].numpy()
        worst = max(worst, float(abs(theirs - logits).max()))
        equal += decode(theirs, names) == decode(logits, names)
    maps = [normalised(cv2.resize(cv2.imread(page), (704, 960))) for page in pages[:4]]
    difference = 0.0
    for image, text_map in zip(maps, run(program, "det", weights, maps, lambda image: image.shape[1])):
        theirs = det(torch.from_numpy(image)[None]).last_hidden_state[0, 0].numpy()
        difference = max(difference, float(abs(theirs - text_map).max()))
    print(json.dumps({"lines": len(lines), "largest_logit_difference": worst, "texts_equal": equal,
                      "maps": len(maps), "largest_map_difference": difference}))


def polygon_iou(a, b):
    a, b = np.float32(a), np.float32(b)
    common, _ = cv2.intersectConvexConvex(a, b)
    return common / max(1e-9, cv2.contourArea(a) + cv2.contourArea(b) - common)


def shrunk(page, folder):
    """The page as rapidocr reads it; its sides are multiples of the detector's 32."""
    from rapidocr.utils.process_img import resize_image_within_bounds
    out = os.path.join(folder, os.path.basename(page))
    cv2.imwrite(out, resize_image_within_bounds(cv2.imread(page), 30, 2000)[0])
    return out


def errors(lines, truth):
    """Character errors of lines from top to bottom, blanks left out."""
    from rapidfuzz.distance import Levenshtein
    lines = sorted(lines, key=lambda line: np.mean(line["box"], 0)[1])
    return Levenshtein.distance("".join("".join(line["text"].split()) for line in lines), "".join(truth.split()))


def pages_beside(weights, program, pages):
    from rapidocr import RapidOCR
    engine = RapidOCR(params={"Global.log_level": "error", "EngineConfig.onnxruntime.intra_op_num_threads": 1,
                              "Global.text_score": 0.0})
    counts = {p: {"same_lines": 0, "texts_equal": 0, "character_errors": 0} for p in ("f32", "fastest")}
    total, wrong, characters = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for page in pages:
            small, truth_file = shrunk(page, folder), os.path.splitext(page)[0] + ".txt"
            read = engine(small, use_cls=False)
            theirs = [{"box": box, "text": text} for box, text in zip(read.boxes, read.txts)]
            total += len(theirs)
            truth = open(truth_file, encoding="utf-8").read() if os.path.exists(truth_file) else ""
            characters += len("".join(truth.split()))
            wrong += errors(theirs, truth) if truth else 0
            for precision, count in counts.items():
                (ours,) = page_lines(program, weights, [small], max(cv2.imread(small).shape), precision)
                count["character_errors"] += errors(ours["lines"], truth) if truth else 0
                for line in theirs:
                    best = max(ours["lines"], key=lambda o: polygon_iou(o["box"], line["box"]), default=None)
                    if not best or polygon_iou(best["box"], line["box"]) < 0.7:
                        continue
                    count["same_lines"] += 1
                    count["texts_equal"] += best["text"].strip() == line["text"].strip()
    print(json.dumps({"pages": len(pages), "lines": total, "characters": characters,
                      "character_errors_of_rapidocr": wrong, **counts}))


if __name__ == "__main__":
    if len(sys.argv) < 5 or sys.argv[1] not in ("nets", "pages"):
        sys.exit(__doc__)
    (nets if sys.argv[1] == "nets" else pages_beside)(sys.argv[2], sys.argv[3], sys.argv[4:])
