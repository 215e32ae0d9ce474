#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/file_descriptor.h"
#include "core/document/document.h"

namespace docspec {

/// The run that a journal belongs to: pages of other bytes, or read with other options, are not
/// used.
struct JournalKey {
  std::string input_sha256;
  std::string reading;    ///< digest of the options, model and version that decide pages
  std::string rendering;  ///< digest of what decides how pages become the output
};

/// The use of pages that an earlier run has read.
enum class Earlier { keep, retry_failed, drop };

/// `.docspec/STEM.json` next to an output STEM.md, STEM.json or STEM.html: the pages read so far,
/// one per line, so that a run that ended in any way continues with the next page, whatever the
/// format. The file is locked while it is open. It is created when the first page is done, and
/// removed with the object if it holds no page.
class Journal {
 public:
  /// Where the journal of `output` is; a name too long for a suffix is cut, its digest in place of
  /// the rest.
  static std::filesystem::path file_of(const std::filesystem::path& output);
  /// The journal of `output`, locked; nothing when another process holds it. Throws
  /// Error(output_file).
  static std::optional<Journal> open(const std::filesystem::path& output, const JournalKey& key,
                                     Earlier earlier);
  ~Journal();
  Journal(Journal&&) noexcept = default;
  Journal& operator=(Journal&&) = delete;

  /// Pages of an earlier run with the same key; without those to be tried again.
  const std::map<int, Page>& pages() const { return pages_; }
  /// Whether all these files were written from the pages, and nothing changed them since.
  bool complete(const std::vector<std::filesystem::path>& outputs) const;

  /// Keeps a page. Throws Error(output_file), e.g. on a full disk.
  void add(const Page& page);
  /// Forgets all pages: none of them is worth keeping.
  void discard();
  /// The document is written: notes the files' digests.
  void finish(const std::vector<std::filesystem::path>& outputs);

 private:
  Journal(std::filesystem::path file, FileDescriptor fd, JournalKey key);
  void read(Earlier earlier);
  void take(const std::string& line);
  void append(nlohmann::ordered_json line);

  std::filesystem::path file_;
  FileDescriptor fd_;
  JournalKey key_;
  bool begun_ = false;  ///< the file's content is this key's
  bool torn_ = false;   ///< its last line has no end
  std::map<int, Page> pages_;
  std::string written_;                         ///< rendering digest of the last finish
  std::map<std::string, std::string> outputs_;  ///< name -> SHA-256 then
};

}  // namespace docspec
