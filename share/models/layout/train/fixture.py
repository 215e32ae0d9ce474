#!/usr/bin/env python3
"""Writes the fixture of tests/drafts/detector/line_net_test.cc: lines of a page, their features and the net's scores.

    python3 fixture.py .. > ../../../../tests/data/layout/lines.json"""

import json
import os
import sys

import numpy as np
import torch
from safetensors.torch import load_file

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from features import Line, body_size, features  # noqa: E402
from net import LayoutNet, to_gray  # noqa: E402

WIDTH, HEIGHT = 595, 842
TEXTS = ("Annual Report 2023", "1. Purpose", "The harbour office asked for a survey of the northern", "basin, before the quay is repaired.",
         "• first item of a list", "(a) second item", "2.1 Numbers", "Table 3: Depths in metres", "Station", "6.4", "7.25 m", "x = a + b / 2",
         "for (int i = 0; i < 10; ++i) {", "1 See the note.", "Page 12 of 40", "ÄÖÜ naïve café – “quoted”", "END OF FILE;")


def main():
    lines = []
    for i, text in enumerate(TEXTS):
        size = (20, 14, 10, 10, 10, 10, 12, 9, 9, 9, 9, 11, 9, 8, 8, 10, 10)[i]
        x0, y0 = (60, 60, 60, 60, 70, 70, 60, 80, 80, 180, 280, 200, 70, 60, 270, 60, 60)[i], 40 + 45 * i
        if i in (9, 10):
            y0 = 40 + 45 * 8  # a row
        lines.append(Line([x0, y0, x0 + int(len(text) * size * 0.5), y0 + int(1.2 * size)], float(size), text,
                          i in (0, 1, 6), i == 12, i in (4, 5)))
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    image = ((x * 7 + y * 13) % 256).astype(np.uint8)
    net = LayoutNet()
    net.load_state_dict(load_file(os.path.join(sys.argv[1], "model.safetensors")))  # halves become f32
    given = features(lines, WIDTH, HEIGHT)
    boxes = torch.tensor([l.box for l in lines]) / torch.tensor([WIDTH, HEIGHT, WIDTH, HEIGHT], dtype=torch.float32)
    with torch.no_grad():
        scores = torch.log_softmax(net(torch.from_numpy(given), boxes, to_gray(image)), 1)
    json.dump({"width": WIDTH, "height": HEIGHT, "body": body_size(lines),
               "lines": [{"box": l.box, "size": l.size, "text": l.text, "bold": l.bold, "mono": l.mono, "rough": l.rough} for l in lines],
               "features": [[round(float(v), 6) for v in row] for row in given],
               "scores": [[round(float(v), 5) for v in row] for row in scores]}, sys.stdout, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
