#pragma once

#include <filesystem>

#include "cli/flags/options.h"
#include "cli/targets.h"
#include "core/document/document.h"
#include "core/document/drafted_page.h"

namespace docspec {

/// Does any target of the run need the pages' rasters?
bool wants_pictures(const Options& options);
/// STEM.files, the folder of the pictures beside an output.
std::filesystem::path files_folder(const std::filesystem::path& output);

/// The files of a target besides its outputs: crops of figures and overlays in STEM.files/, and the
/// pictures of the pages for the HTML viewer.
class PageFiles {
 public:
  /// Throws Error(usage) when files are asked for and the output is standard output.
  PageFiles(const Options& options, const Target& target);

  /// Does this target need the pages' rasters?
  bool want_image() const { return figures_ || overlay_ || viewer_; }
  /// Whether a page of an earlier run lacks its picture for the viewer.
  bool lacks_files(const Page& page) const { return viewer_ && page.picture.empty(); }
  /// Writes the page's files and notes them in its blocks. Throws Error(output_file).
  void take(const DraftedPage& drafted, Page& page) const;

 private:
  void write(const std::string& name, const std::string& bytes) const;

  bool figures_, overlay_, viewer_;
  std::filesystem::path folder_;
};

}  // namespace docspec
