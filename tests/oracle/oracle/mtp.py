"""What a layer for further tokens (MTP) drafts."""

from pathlib import Path

import torch
from PIL import Image
from safetensors.torch import load_file

from .reference import chat, features


def stored_layer(folder, layer, prefix, inner):
    """`layer` with the numbers of a checkpoint's tensors prefix + inner(name), or None where one is missing."""
    stored = {}
    for file in sorted(Path(folder).glob("*.safetensors")):
        stored |= load_file(file)
    found = {name: stored.get(prefix + inner(name)) for name in layer.state_dict()}
    if None in found.values():
        return None
    layer.load_state_dict({name: tensor.float() for name, tensor in found.items()})
    return layer.eval()


@torch.no_grad()
def drafts(model, processor, expected, question, layer, sees_image, steps=4):
    """What the layer drafts after each greedy token of page 0: {"0.mtp_ids": [tokens, steps]}. layer(embeds, hidden,
    position_embeddings) gives rows, from which the next ones are drafted, layer.logits(rows) the tokens after them. sees_image:
    it reads the image's rows where the next token is one of its placeholders."""
    inputs = dict(chat(processor, Image.fromarray(expected["0.page"].numpy()), question))
    prompt, greedy = inputs["input_ids"].shape[1], expected["0.greedy_ids"][:12].long()
    greedy = greedy[:(greedy != model.config.image_token_id).long().cumprod(0).sum()]  # of a second image there are no rows
    if len(greedy) == 0:
        return {}
    inputs["input_ids"] = ids = torch.cat([inputs["input_ids"], greedy[None]], 1)
    inputs["attention_mask"] = torch.ones_like(ids)
    inputs["mm_token_type_ids"] = torch.cat([inputs["mm_token_type_ids"], torch.zeros_like(greedy)[None]], 1)
    model.model.rope_deltas = None
    target = model.model(**inputs).last_hidden_state
    places, _ = model.model.get_rope_index(
        inputs["input_ids"], mm_token_type_ids=inputs["mm_token_type_ids"], image_grid_thw=inputs["image_grid_thw"],
        attention_mask=inputs["attention_mask"])
    embed, rotary = model.model.language_model.embed_tokens, model.model.language_model.rotary_emb
    read = embed(ids)
    if sees_image:
        read[ids == model.config.image_token_id] = torch.cat(list(features(inputs, model).pooler_output))
    out = []
    for known in range(1, len(greedy) + 1):  # the last known token is pending: its row is not there
        rows = prompt + known - 1
        embeds, hidden, at = read[:, 1:rows + 1], target[:, :rows], places[:, :, :rows]
        drafted = []
        for _ in range(steps):
            after = layer(embeds, hidden, rotary(embeds, at))[:, -1:]
            drafted.append(layer.logits(after)[0, 0].argmax())
            embeds = torch.cat([embeds, embed(drafted[-1][None, None])], 1)
            hidden = torch.cat([hidden, after], 1)
            at = torch.cat([at, at[:, :, -1:].max() * torch.ones_like(at[:, :, -1:]) + 1], 2)
        out.append(torch.stack(drafted))
    return {"0.mtp_ids": torch.stack(out).int()}


def causal_mask(x):
    """[1, 1, rows, rows], of x: [1, rows, d]."""
    return torch.full((x.shape[1], x.shape[1]), float("-inf")).triu(1)[None, None]
