#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/drafted_page.h"
#include "core/input/document_reader.h"
#include "core/worker/sandbox.h"

namespace docspec {

/// The facts about a document that opening it gives.
struct DocumentFacts {
  int pages = 0;
};

/// Reads documents in a worker process; made there, used by one thread.
class DraftService {
 public:
  virtual ~DraftService() = default;
  /// Opens a document in place of the one before. Throws as open_document does.
  virtual DocumentFacts open(std::shared_ptr<const InputBytes> input,
                             const std::string& password) = 0;
  /// Bookmarks of the document.
  virtual std::vector<OutlineEntry> outline() { return {}; }
  /// Throws as the drafters do.
  virtual DraftedPage draft(int page) = 0;
  /// The page's text layer alone, nothing rendered: what is left of a page whose draft failed.
  virtual DraftedPage text_layer(int page) = 0;
};

using MakeDraftService = std::function<std::unique_ptr<DraftService>()>;

/// A request to a worker, the first byte of a message.
enum class Request : char {
  open = 'o',
  open_shared = 's',
  outline = 'b',
  draft = 'd',
  text_layer = 't'
};

/// How a worker's answer begins.
struct Answer {
  bool ok = false;
  bool out_of_memory = false;
  ExitCode code = ExitCode::internal;  ///< of an Error
  int64_t peak_kb = 0;                 ///< the worker's largest resident size so far
  double cpu_seconds = 0;              ///< of the worker so far
  std::string body;  ///< a drafted page, DocumentFacts, bookmarks, or the Error's message
};

/// An answer is two messages: all but its body, then the body, which may be large, as it is.
std::string pack_head(const Answer& answer);
/// Nothing where a damaged process sent something else.
std::optional<Answer> unpack_head(std::string_view bytes);

std::string pack(const DocumentFacts& facts);
std::string pack(const std::vector<OutlineEntry>& outline);
/// These throw Error(internal).
DocumentFacts unpack_facts(std::string_view bytes);
std::vector<OutlineEntry> unpack_outline(std::string_view bytes);

/// A message to open a document: `open` with its bytes, or `open_shared`, which a single byte with
/// the descriptor of its SharedBytes follows.
std::string open_request(const InputBytes& input, const std::string& password);
std::string page_request(Request what, int page);

/// The worker's life, locked in: answers requests from `socket` until the other end closes it.
/// Private memory is limited to `memory_bytes` and twice the input's size above what the process
/// has at the start.
void serve_drafts(int socket, const MakeDraftService& make_service, int64_t memory_bytes,
                  const Sandbox& sandbox);

}  // namespace docspec
