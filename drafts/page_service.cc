#include "drafts/page_service.h"

#include <cstdlib>
#include <optional>

#include "core/base/sha256.h"
#include "drafts/replay/replay_formats.h"

namespace docspec {
namespace {

class PageService : public DraftService {
 public:
  PageService(PageDraftOptions options, std::filesystem::path replay_folder)
      : want_image_(options.want_image), replay_folder_(std::move(replay_folder)) {
    if (!replay_folder_.empty()) {
      PageDraftOptions without = options;
      without.sources = automatic_names(drafter_registry());
      undrafted_.emplace(std::move(without));
      options.config.replay = replay_;
    }
    drafter_.emplace(std::move(options));
    current_ = &*drafter_;
    // oneDNN keeps 1024 kernels with their weights, 60 MB more for each page of other widths, until
    // the worker's memory is used up. Read at its first kernel; this process has no other thread.
    setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "128", /*overwrite=*/0);
  }

  DocumentFacts open(std::shared_ptr<const InputBytes> input,
                     const std::string& password) override {
    reader_.reset();  // before the next one takes its memory
    if (!replay_folder_.empty()) choose_drafts(sha256_hex(input->bytes.view()));
    reader_ = open_document(std::move(input), password);
    return {reader_->page_count()};
  }

  std::vector<OutlineEntry> outline() override { return reader_->outline(); }

  DraftedPage draft(int page) override {
    DraftedPage drafted = current_->draft(*reader_, page);
    if (!want_image_) drafted.image.reset();  // not needed
    return drafted;
  }

  DraftedPage text_layer(int page) override { return current_->text_layer(*reader_, page); }

 private:
  void choose_drafts(const std::string& sha256) {
    const std::filesystem::path file = drafts_in_folder(replay_folder_, sha256);
    const bool there = std::filesystem::exists(file);
    *replay_ = there ? read_replay_file(file) : DraftsFile();
    current_ = there ? &*drafter_ : &*undrafted_;
  }

  bool want_image_;
  std::filesystem::path replay_folder_;
  std::shared_ptr<DraftsFile> replay_ = std::make_shared<DraftsFile>();  ///< of the open document
  std::optional<PageDrafter> drafter_;
  std::optional<PageDrafter> undrafted_;  ///< of documents that the folder does not have
  PageDrafter* current_ = nullptr;        ///< of the open document
  std::unique_ptr<DocumentReader> reader_;
};

}  // namespace

MakeDraftService make_page_service(const PageDraftOptions& options,
                                   const std::filesystem::path& replay_folder) {
  return [options, replay_folder] { return std::make_unique<PageService>(options, replay_folder); };
}

}  // namespace docspec
