#include "cli/page_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/document/image_writer.h"
#include "core/markup/registry.h"

namespace docspec {

bool wants_pictures(const Options& options) {
  const bool viewer = options.to.empty() ? format_of(options.output.value_or("")) == "html"
                                         : options.to.find("html") != std::string::npos;
  return options.figures || options.overlay || viewer;
}

std::filesystem::path files_folder(const std::filesystem::path& output) {
  return output.parent_path() / (output.stem().string() + ".files");
}

namespace {

/// Whether pictures cover more than a trace of the page.
bool has_photograph(const Page& page) {
  constexpr double kTrace = 0.02;
  double area = 0;
  for (const Block& block : page.blocks)
    if (block.kind == RegionKind::picture)
      area += std::max(0.0, block.box_pt.x1 - block.box_pt.x0) *
              std::max(0.0, block.box_pt.y1 - block.box_pt.y0);
  return area > kTrace * page.width_pt * page.height_pt;
}

}  // namespace

PageFiles::PageFiles(const Options& options, const Target& target)
    : figures_(options.figures),
      overlay_(options.overlay),
      viewer_(std::find(target.formats.begin(), target.formats.end(), "html") !=
              target.formats.end()) {
  if (!figures_ && !overlay_) return;
  const std::filesystem::path& output = target.outputs.front();
  if (output == "-")
    throw Error(ExitCode::usage, std::string(figures_ ? "--figures" : "--overlay") +
                                     " writes files beside the output; name one with -o");
  folder_ = files_folder(output);
}

void PageFiles::write(const std::string& name, const std::string& bytes) const {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  const bool link = std::filesystem::is_symlink(folder_);
  if (error || link)
    throw Error(ExitCode::output_file, folder_.string() +
                                           (link ? ": is a link; docspec makes this folder itself"
                                                 : ": cannot be made: " + error.message()) +
                                           "; name another place with -o");
  OutputFile(folder_ / name, Links::replace).commit(bytes);
}

void PageFiles::take(const DraftedPage& drafted, Page& page) const {
  if (!drafted.image) return;
  const PageImage& image = *drafted.image;
  if (viewer_) page.picture = viewer_picture(image, has_photograph(page));
  if (overlay_) write(fmt::format("page-{}.png", page.page), overlay_png(image, page.blocks));
  if (!figures_) return;
  int number = 0;
  for (Block& block : page.blocks) {
    if (block.kind != RegionKind::picture && block.kind != RegionKind::formula) continue;
    const Box box = intersect(pad(image.to_pixels(block.box_pt), int(image.dpi() / 36),
                                  image.width_px(), image.height_px()),
                              {0, 0, image.width_px(), image.height_px()});
    if (box.empty()) continue;
    const std::string kind = block.kind == RegionKind::picture ? "figure" : "formula";
    const std::string name = fmt::format("page-{}-{}-{}.png", page.page, kind, ++number);
    write(name, encode_png(image.crop(box)));
    block.figure = folder_.filename().string() + "/" + name;
  }
}

}  // namespace docspec
