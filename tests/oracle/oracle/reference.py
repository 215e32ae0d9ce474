"""What transformers makes of a checkpoint: every stage of a decode, as tensors."""

import torch
from PIL import Image

from .pages import SIZES, draw_page


def chat(processor, page, question, **settings):
    """`page`: an image, or a list of those that one prompt holds."""
    images = page if isinstance(page, list) else [page]
    content = [{"type": "image", "image": image} for image in images] + [{"type": "text", "text": question}]
    return processor.apply_chat_template([{"role": "user", "content": content}], tokenize=True,
                                         add_generation_prompt=True, return_dict=True,
                                         return_tensors="pt", **settings)


def in_dtype(inputs, dtype):
    return {k: v.to(dtype) if torch.is_tensor(v) and v.is_floating_point() else v for k, v in inputs.items()}


def greedy(model, inputs, penalty, ngram=0, n=64):
    model.model.rope_deltas = None
    out = model.generate(**inputs, do_sample=False, repetition_penalty=penalty, max_new_tokens=n,
                         no_repeat_ngram_size=ngram or model.generation_config.no_repeat_ngram_size,
                         temperature=None, top_p=None, top_k=None, eos_token_id=-1, pad_token_id=0)
    return out[0, inputs["input_ids"].shape[1]:]


@torch.no_grad()
def greedy_bf16(model, processor, page, question):
    """Greedy ids of the model in bf16 and, for each, by how much its logit led the second one."""
    model.model.rope_deltas = None
    inputs = in_dtype(chat(processor, page, question), model.dtype)
    out = model.generate(**inputs, do_sample=False, repetition_penalty=1.0, max_new_tokens=64,
                         temperature=None, top_p=None, top_k=None, eos_token_id=-1, pad_token_id=0,
                         output_logits=True, return_dict_in_generate=True)
    top = torch.cat(out.logits).float().topk(2).values
    return {"bf16_ids": out.sequences[0, inputs["input_ids"].shape[1]:].int(),
            "bf16_margins": top[:, 0] - top[:, 1]}


def patches(inputs, model):
    """Tiles [1, tiles, 3, height, width] as rows of patches, in raster order of each tile; DeepSeek's
    tiles before the whole image."""
    pixels = inputs["pixel_values"]
    if pixels.dim() < 4:
        return pixels
    vision = model.config.vision_config
    p = getattr(vision, "patch_size", None) or vision.sam_config.patch_size
    out = []
    for tiles in (inputs.get("pixel_values_local"), pixels):
        if tiles is None:
            continue
        rows, columns = tiles.shape[-2] // p, tiles.shape[-1] // p
        cut = tiles.flatten(0, -4)[..., :rows * p, :columns * p].reshape(-1, 3, rows, p, columns, p)
        out.append(cut.permute(0, 2, 4, 1, 3, 5).reshape(-1, 3 * p * p))
    return torch.cat(out)


def features(inputs, model):
    """What the vision tower makes of the image."""
    if "num_local_patches" in inputs:
        grid = [inputs["patches_grid"]] if "patches_grid" in inputs else []  # Unlimited-OCR's
        return model.model.get_image_features(inputs["pixel_values"],
                                              inputs.get("pixel_values_local"),
                                              inputs["num_local_patches"], *grid)
    grid = inputs["image_grid_thw" if "image_grid_thw" in inputs else "image_sizes"]
    return model.model.get_image_features(inputs["pixel_values"], grid)


def visual_rows(inputs, model):
    """The rows that features() puts into the prompt, then those of deeper layers."""
    vision = features(inputs, model)
    deeper = getattr(vision, "deepstack_features", None) or []  # transformers 5.24: each in parts, an image a part
    return torch.cat([torch.cat(list(rows)) if not torch.is_tensor(rows) else rows
                      for rows in (vision.pooler_output, *deeper)], 1).float()


def forced_logits(model, inputs, forced):
    """Logits of the prompt's last token and of each forced one: [1 + forced, vocab]."""
    if getattr(model.config.get_text_config(), "sliding_window", None) and "patches_grid" in inputs:
        prompt = model(**inputs, use_cache=True)  # ends where the window begins
        rest = model(input_ids=forced, cache=prompt.cache)
        return torch.cat([prompt.logits[0, -1:], rest.logits[0]]).float()
    longer = dict(inputs)
    longer["input_ids"] = torch.cat([inputs["input_ids"], forced], 1)
    longer["attention_mask"] = torch.ones_like(longer["input_ids"])
    if "mm_token_type_ids" in inputs:
        longer["mm_token_type_ids"] = torch.cat(
            [inputs["mm_token_type_ids"], torch.zeros_like(forced)], 1)
    model.model.rope_deltas = None
    return model(**longer).logits[0, inputs["input_ids"].shape[1] - 1:].float()


def forced_ids(model, seed, length):
    words = model.config.get_text_config().bos_token_id  # special tokens begin here
    return torch.randint(0, words, (1, length), generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def both_pages_reference(model, processor, pages, family, seed, length):
    """The stages of one prompt with two pages, of a family that has such prompts (PAGES_...)."""
    inputs = chat(processor, pages, family.PAGES_QUESTION, processor_kwargs=family.PAGES_SETTINGS)
    forced = forced_ids(model, seed, length)
    window = model.generation_config.no_repeat_ngram_window_size
    model.generation_config.no_repeat_ngram_window_size = family.PAGES_WINDOW
    out = {"prompt_ids": inputs["input_ids"][0].int(), "vision": visual_rows(inputs, model),
           "forced_ids": forced[0].int(), "logits": forced_logits(model, inputs, forced),
           "greedy_ids": greedy(model, inputs, 1.0).int(), "penalised_ids": greedy(model, inputs, 1.05).int()}
    model.generation_config.no_repeat_ngram_window_size = window
    return {f"both.{key}": value.contiguous() for key, value in out.items()}


@torch.no_grad()
def page_reference(model, processor, page, question, seed, length, exact):
    inputs = chat(processor, page, question)
    forced = forced_ids(model, seed, length)
    vision = visual_rows(inputs, model)
    logits = forced_logits(model, inputs, forced)
    further = {}
    if exact is not None:
        wide = {k: v.double() if v.is_floating_point() else v for k, v in inputs.items()}
        narrow, logits = logits, forced_logits(exact, wide, forced)
        further["f32_error"] = (narrow - logits).abs().max()[None]
    return {**further, "prompt_ids": inputs["input_ids"][0].int(),
            "pixel_values": patches(inputs, model).float(),
            "vision": vision,
            "forced_ids": forced[0].int(), "logits": logits, "greedy_ids": greedy(model, inputs, 1.0).int(),
            "penalised_ids": greedy(model, inputs, 1.05).int(),
            "no_repeat_ids": greedy(model, inputs, 1.0, ngram=2).int()}


@torch.no_grad()
def bf16_distance(in_bf16, processor, question, expected, logit_stride):
    """How far the model in bf16 is from what it is in f32 (`expected`) on page 0, as the root mean
    square of all differences of a stage."""
    page = Image.fromarray(expected["0.page"].numpy())
    inputs = in_dtype(chat(processor, page, question), in_bf16.dtype)
    logits = forced_logits(in_bf16, inputs, expected["0.forced_ids"][None].long())
    found = {"logits": logits[::logit_stride], "vision": visual_rows(inputs, in_bf16)}
    return {k: (v - expected["0." + k]).square().mean().sqrt().item() for k, v in found.items()}


def reference(model, processor, question, seed, sizes=SIZES, in_bf16=None, forced=200, exact=None):
    """All pages' stages: {"0.prompt_ids": ..., "0.page": [height, width, 3] u8, ...}; with the same
    model `in_bf16` its greedy ids too; with it in f64, `exact`, the logits are its, and "f32_error" is by how much those of
    `model` differ from them."""
    import numpy
    out = {}
    for i, (width, height) in enumerate(sizes):
        page = draw_page(width, height, seed * 100 + i)
        out[f"{i}.page"] = torch.from_numpy(numpy.array(page))
        for key, value in page_reference(model, processor, page, question, seed * 100 + i, forced, exact).items():
            out[f"{i}.{key}"] = value.contiguous()
        if in_bf16 is not None:
            for key, value in greedy_bf16(in_bf16, processor, page, question).items():
                out[f"{i}.{key}"] = value.contiguous()
    return out


def varied(expected):
    """Do the greedy ids of all pages wander? Constant output would prove nothing."""
    return all(len(set(v.tolist())) >= 20 for k, v in expected.items() if k.endswith("greedy_ids"))
