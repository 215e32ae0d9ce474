"""The layout net: a small convolutional view of the page and a transformer over its lines.

Lines [n, COUNT] and their boxes, the page as gray [1, 1, 384, 288] (0 paper, 1 ink) -> logits [n, 12]. Each line reads
the picture's features (stride 4) at 3 x 7 points around it. drafts/detector/line_net.cc computes the same."""

import torch
import torch.nn.functional as F
from torch import nn

from features import CATEGORIES, COUNT

HEIGHT, WIDTH, CHANNELS, MODEL, HEADS, LAYERS = 384, 288, 40, 128, 4, 3


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(MODEL), nn.LayerNorm(MODEL)
        self.qkv, self.out = nn.Linear(MODEL, 3 * MODEL), nn.Linear(MODEL, MODEL)
        self.up, self.down = nn.Linear(MODEL, 2 * MODEL), nn.Linear(2 * MODEL, MODEL)

    def forward(self, x):
        n = x.shape[0]
        q, k, v = self.qkv(self.norm1(x)).view(n, 3, HEADS, MODEL // HEADS).permute(1, 2, 0, 3)
        seen = F.scaled_dot_product_attention(q[None], k[None], v[None])[0]
        x = x + self.out(seen.transpose(0, 1).reshape(n, MODEL))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class LayoutNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 16, 5, 2, 2)
        self.fine = nn.Conv2d(16, 32, 3, 2, 1)
        self.coarse = nn.Conv2d(32, CHANNELS, 3, 2, 1)
        self.wide = nn.Conv2d(CHANNELS, CHANNELS, 3, 2, 1)
        self.context = nn.Conv2d(CHANNELS, CHANNELS, 3, 1, 2, dilation=2)
        self.lateral = nn.Conv2d(32, CHANNELS, 1)
        self.embed = nn.Linear(COUNT + 16, MODEL)
        self.look = nn.Linear(3 * CHANNELS, MODEL)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(MODEL), nn.Linear(MODEL, len(CATEGORIES))

    def picture(self, gray):
        """[1, 1, HEIGHT, WIDTH] -> [1, CHANNELS, HEIGHT / 4, WIDTH / 4]."""
        fine = F.relu(self.fine(F.relu(self.stem(gray))))
        coarse = F.relu(self.coarse(fine))
        wide = F.relu(self.context(F.relu(self.wide(coarse))))
        coarse = coarse + F.interpolate(wide, coarse.shape[2:], mode="nearest")
        return F.relu(self.lateral(fine)) + F.interpolate(coarse, fine.shape[2:], mode="nearest")

    def forward(self, lines, boxes, gray):
        """boxes: [n, 4] x0 y0 x1 y1 as shares of the page."""
        n = lines.shape[0]
        x0, y0, x1, y1 = boxes.unbind(1)
        share = (torch.arange(7) + 0.5) / 7
        x = x0[:, None] + (x1 - x0)[:, None] * share  # [n, 7]
        middle, high = (y0 + y1) / 2, y1 - y0
        rows = torch.stack([middle - 1.2 * high, middle, middle + 1.2 * high], 1)  # [n, 3]
        grid = torch.stack([x[:, None].expand(n, 3, 7), rows[:, :, None].expand(n, 3, 7)], -1) * 2 - 1
        seen = F.grid_sample(self.picture(gray), grid.reshape(1, n * 3, 7, 2), padding_mode="border", align_corners=False)
        seen = seen[0].mean(2).view(CHANNELS, n, 3).permute(1, 2, 0).reshape(n, 3 * CHANNELS)
        angles = torch.cat([boxes * (3.14159265 * f) for f in (2, 6)], 1)  # [n, 8]
        x = self.embed(torch.cat([lines, angles.sin(), angles.cos()], 1)) + self.look(seen)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def to_gray(image):
    """8-bit gray [h, w] -> [1, 1, HEIGHT, WIDTH], 0 paper and 1 ink."""
    pixels = 1 - torch.as_tensor(image, dtype=torch.float32) / 255
    return F.adaptive_avg_pool2d(pixels[None, None], (HEIGHT, WIDTH))
