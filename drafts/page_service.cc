#include "drafts/page_service.h"

#include <cstdlib>

namespace docspec {
namespace {

class PageService : public DraftService {
 public:
  explicit PageService(const PageDraftOptions& options)
      : want_image_(options.want_image), drafter_(options) {
    // oneDNN keeps 1024 kernels with their weights, 60 MB more for each page of other widths, until
    // the worker's memory is used up. Read at its first kernel; this process has no other thread.
    setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "128", /*overwrite=*/0);
  }

  DocumentFacts open(std::shared_ptr<const InputBytes> input,
                     const std::string& password) override {
    reader_.reset();  // before the next one takes its memory
    reader_ = open_document(std::move(input), password);
    return {reader_->page_count()};
  }

  std::vector<OutlineEntry> outline() override { return reader_->outline(); }

  DraftedPage draft(int page) override {
    DraftedPage drafted = drafter_.draft(*reader_, page);
    if (!want_image_) drafted.image.reset();  // not needed
    return drafted;
  }

  DraftedPage text_layer(int page) override { return drafter_.text_layer(*reader_, page); }

 private:
  bool want_image_;
  PageDrafter drafter_;
  std::unique_ptr<DocumentReader> reader_;
};

}  // namespace

MakeDraftService make_page_service(const PageDraftOptions& options) {
  return [options] { return std::make_unique<PageService>(options); };
}

}  // namespace docspec
