#pragma once

#include <memory>

#include "core/decode/align/draft_aligner.h"
#include "core/decode/align/proposer.h"

namespace docspec {

/// A proposer of the drafts at the positions where the output may continue (DraftAligner): after an
/// error the substitution, insertion and deletion candidates (algorithms.md 1.9), at the end of a
/// draft the heads of the next ones and the end of the page. Each is proposed in the draft's own
/// tokens and, for the first word, also with its leading blank toggled.
std::unique_ptr<Proposer> make_cursor_proposer(std::shared_ptr<DraftAligner> aligner,
                                               int32_t stop_token, size_t max_suffix);

}  // namespace docspec
