#pragma once

#include <string>

#include "cli/flags/options.h"
#include "core/finish/journal.h"

namespace docspec {

/// Digest of a model's folder by its files' names, sizes and dates: hashing gigabytes would cost
/// minutes.
std::string model_digest(const std::string& model);

/// The run that the journal of an input belongs to: the bytes of the input; the flags as given, the
/// model (by names, sizes and dates of its files), replayed drafts, and this version; and the
/// rendering of documents. Flags that do not change any text (threads, reports, outputs) are left
/// out. `pages` of this input decide what is written, not how pages are read: runs of some pages
/// and of all share what they have read.
JournalKey run_key(const Options& options, const std::string& input_sha256,
                   const std::string& pages = {});

}  // namespace docspec
