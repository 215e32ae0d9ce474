#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_descriptor.h"
#include "core/page/draft.h"
#include "core/page/page_glyphs.h"
#include "core/page/page_image.h"

namespace docspec {

/// Bytes that never change. Those of `shared` lie in a sealed file without a name: another process
/// that gets its descriptor maps the same memory.
class SharedBytes {
 public:
  SharedBytes() = default;
  /// Bytes of this process alone.
  SharedBytes(std::string bytes) : own_(std::move(bytes)) {}
  /// At most `size` bytes. `fill` writes them to its argument and returns how many they are. Where
  /// the system gives no such file, they are of this process alone. Throws std::bad_alloc, and what
  /// `fill` throws.
  static SharedBytes shared(size_t size, const std::function<size_t(char*)>& fill);
  /// Those that another process has shared. Throws Error(internal) where it is no sealed file.
  static SharedBytes received(FileDescriptor file);
  SharedBytes(SharedBytes&& other) noexcept;
  SharedBytes& operator=(SharedBytes&& other) noexcept;
  ~SharedBytes();

  const char* data() const { return mapped_ ? mapped_ : own_.data(); }
  size_t size() const { return mapped_ ? size_ : own_.size(); }
  std::string_view view() const { return {data(), size()}; }
  /// To give to another process; -1 = these are of this process alone.
  int descriptor() const { return file_.get(); }

 private:
  std::string own_;
  FileDescriptor file_;
  const char* mapped_ = nullptr;
  size_t size_ = 0;  ///< of what is mapped
};

/// The bytes of one input, shared by the readers of several threads and processes.
struct InputBytes {
  std::string name;   ///< as the user wrote it, for messages ("-" = standard input)
  SharedBytes bytes;  ///< the whole file
};

/// Size and turn of a page as it is read: upright.
struct PageInfo {
  double width_pt = 0, height_pt = 0;  ///< after rotation
  int rotation = 0;    ///< degrees clockwise of the page's /Rotate, undone on reading
  double own_dpi = 0;  ///< of an image file, which has pixels of its own; 0 = rendered at any dpi
};

/// A rendered page.
struct Raster {
  PageImage image;
  bool dpi_reduced = false;  ///< rendered below the asked dpi to stay under max_pixels
};

/// A bookmark of the document: its place in the tree, from 1, and its title.
struct OutlineEntry {
  int depth = 1;
  std::string title;
};

/// Reads the pages of one PDF or image file. One object serves one thread; pages count from 1.
class DocumentReader {
 public:
  virtual ~DocumentReader() = default;
  virtual int page_count() const = 0;
  /// Throws Error(input_file) for a page that cannot be loaded.
  virtual PageInfo info(int page) const = 0;
  /// Renders upright at `dpi`, or smaller so that width*height <= max_pixels: the ceiling is
  /// checked before rendering. Throws Error(input_file) when the page cannot be rendered; a page
  /// that the library "renders" blank while reporting errors is an error too.
  virtual Raster raster(int page, double dpi, int64_t max_pixels) const = 0;
  /// Words of the text layer with boxes in pixels at `dpi` of the upright page, in the file's
  /// order; empty for images.
  virtual std::vector<Word> text_layer(int page, double dpi) const = 0;
  /// Whether nearly all of these words are not seen, like those that OCR adds to a scan.
  virtual bool hides_text(int) const { return false; }
  /// The letters and bars that the page's content draws, in the same pixels, of files that TeX
  /// wrote; else empty.
  virtual PageGlyphs glyphs(int, double) const { return {}; }
  /// Bookmarks in their order; empty where the file has none.
  virtual std::vector<OutlineEntry> outline() const { return {}; }
};

/// Whether bytes begin like a document that open_document reads.
bool begins_document(std::string_view bytes);

/// Opens a PDF (poppler) or PNG, JPEG, TIFF, WebP (leptonica), recognised by content.
/// `user_password` may be empty. Throws Error(input_file) for bytes that are none of these, are
/// corrupt, or have no page; Error(password) if a password is missing or wrong. Each message begins
/// with the name.
std::unique_ptr<DocumentReader> open_document(std::shared_ptr<const InputBytes> input,
                                              const std::string& user_password);

}  // namespace docspec
