#pragma once

#include <memory>

#include "core/decode/align/draft_aligner.h"
#include "core/decode/align/proposer.h"

namespace docspec {

/// What the drafts say at the places where the output may go on (DraftAligner): behind an error the
/// substitution, insertion and deletion candidates (algorithms.md 1.9), at the end of a draft the
/// heads of the next ones and the end of the page. Each in the draft's own tokens and, where its
/// first word could stand behind another blank, in those of that.
std::unique_ptr<Proposer> make_cursor_proposer(std::shared_ptr<DraftAligner> aligner,
                                               int32_t stop_token, size_t max_suffix);

}  // namespace docspec
