#pragma once

#include <string>

#include "cli/flags/options.h"
#include "core/finish/journal.h"

namespace docspec {

/// What the journal of an input is bound to: its bytes; the flags as given, the model (told by its
/// files' names, sizes and dates), replayed drafts, and this version; how documents are rendered.
/// Flags that decide no text (threads, reports, where to write) are left out.
JournalKey run_key(const Options& options, const std::string& input_sha256);

}  // namespace docspec
