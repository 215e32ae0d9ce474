#pragma once

#include <span>
#include <vector>

#include "core/letters/block_letters.h"
#include "core/letters/surety.h"
#include "core/letters/words/read_words.h"

namespace docspec {

/// The words of blocks with the margins at which the model has written them; -1 where the model's
/// text has no such word. One vector a block, over BlockLetters::words().
std::vector<std::vector<float>> margins_of(std::span<const BlockLetters> blocks,
                                           std::span<const ReadWord> read);

/// Decides whose letters stand where the model's blocks differ from OCR: the surer one's. A number
/// of which neither is sure is marked as doubtful. `surety` nullptr = the model's margins were
/// never compared with this engine: its letters stand, and numbers that differ are doubtful.
/// A block of which model and OCR share few words becomes OCR's draft, where this is the surer one.
/// `drafts`: OCR's of each block's place; nullptr = none.
void decide_by_surety(std::vector<BlockLetters>& blocks, std::span<const ReadWord> read,
                      std::span<const Draft* const> drafts, const Surety* surety);

/// Of the words that a model and OCR read on a page, the share that both have, with repetitions.
double shared_words(std::span<const ReadWord> read, std::span<const Word> ocr);

/// Whether OCR is surer of its usual word on a page than the model of its own. Neither is empty.
bool is_surer(std::span<const Word> ocr, std::span<const ReadWord> read, const Surety& surety);

}  // namespace docspec
