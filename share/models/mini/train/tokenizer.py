"""The mini models' tokenizer: byte-level BPE of short tokens in Qwen2's form, trained on the synthesizer's texts."""

import random
import sys

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

import latex
import markup
from synth.text import CHARSET, Writer, paragraphs

SIZE, LONGEST = 2048, 5
# Qwen2's split, so that transformers' Qwen2Tokenizer and docspec cut alike.
PATTERN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
READ_FORMULA = "<|read_formula|>"
END, PAD = "<|im_end|>", "<|endoftext|>"
SPECIAL = [PAD, "<|im_start|>", END, "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>",
           "<|read_page|>", "<|read_text|>", "<|read_table|>"]


def build(path):
    rng, prose = random.Random(11), paragraphs(held_out=False)
    writer = Writer(rng, prose, 0.15)

    def texts():
        for _ in range(30_000):
            yield writer.words(rng.randint(5, 60))
        for _ in range(3_000):
            yield "\n\n## " + writer.heading() + "\n\n" + writer.words(12)
            yield "\n".join("- " + writer.sentence(2, 9) for _ in range(4))
            rows = [" | ".join(writer.cell() for _ in range(3)) for _ in range(4)]
            yield "| " + " |\n| ".join(rows[:1] + [" --- | --- | ---"[1:]] + rows[1:]) + " |"

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERN), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=SIZE - len(SPECIAL), max_token_length=LONGEST, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(texts(), trainer)
    tokenizer.add_special_tokens([AddedToken(t, special=True) for t in SPECIAL])
    tokenizer.save(path)
    return tokenizer


def for_pages(path):
    """The tokenizer at `path` with the page prompt's markup on top, and what formulas are made of, each piece one token."""
    tokenizer = Tokenizer.from_file(path)
    tokenizer.add_tokens([AddedToken(t, normalized=False) for t in markup.TOKENS])
    tokenizer.add_special_tokens([AddedToken(READ_FORMULA, special=True)])
    tokenizer.add_tokens([AddedToken(t, normalized=False) for t in latex.TOKENS])
    return tokenizer


if __name__ == "__main__":
    made = build(sys.argv[1])
    print(made.get_vocab_size(), "entries; characters a token:",
          sum(map(len, paragraphs(True)[:300])) / sum(len(made.encode(p)) for p in paragraphs(True)[:300]))
    print([len(made.encode(c).ids) for c in CHARSET if len(made.encode(c).ids) > 1].__len__(), "characters take two tokens")
