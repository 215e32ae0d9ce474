#include "drafts/page_drafter.h"

#include "core/base/error.h"
#include "drafts/page_job.h"
#include "drafts/text/text_layer_drafter.h"

namespace docspec {
namespace {

/// The entry called `name`, or Error(usage) that lists the known ones.
template <typename Make>
const Entry<Make>& known(std::span<const Entry<Make>> table, const std::string& name,
                         const char* what) {
  if (const auto* entry = find(table, name)) return *entry;
  throw Error(ExitCode::usage,
              std::string("unknown ") + what + " '" + name + "'; known: " + names(table));
}

}  // namespace

struct PageDrafter::Parts {
  PageDraftOptions options;
  std::unique_ptr<LayoutDetector> detector;
  std::vector<std::unique_ptr<Drafter>> drafters;
  LazyFormulaReader formulas;

  std::vector<Drafter*> all(DrafterRole role) const {
    std::vector<Drafter*> out;
    for (const auto& drafter : drafters)
      if (drafter->role() == role) out.push_back(drafter.get());
    return out;
  }
  /// The first drafter with this role, or nullptr.
  Drafter* first(DrafterRole role) const {
    const std::vector<Drafter*> found = all(role);
    return found.empty() ? nullptr : found.front();
  }
};

PageDrafter::PageDrafter(PageDraftOptions options)
    : parts_(new Parts{{}, {}, {}, LazyFormulaReader(options.config.formulas)}) {
  parts_->detector =
      known(detector_registry(), options.detector, "layout detector").make(options.config);
  for (const std::string& source : options.sources)
    parts_->drafters.push_back(
        known(drafter_registry(), source, "draft source").make(options.config));
  parts_->options = std::move(options);
}

PageDrafter::~PageDrafter() = default;
PageDrafter::PageDrafter(PageDrafter&&) noexcept = default;

DraftedPage PageDrafter::draft(const DocumentReader& reader, int page) {
  const PageDraftOptions& options = parts_->options;
  Drafter* const text = parts_->first(DrafterRole::text_layer);
  const std::vector<Drafter*> ocr = parts_->all(DrafterRole::raster);
  Drafter* const replay = parts_->first(DrafterRole::replay);
  PageJob job(options, *parts_->detector, reader, page);
  const std::vector<Drafter*> others = parts_->all(DrafterRole::regions);
  if (text || !others.empty()) job.read_text_layer();
  job.look_at_ink(!others.empty());
  job.join_formulas();
  const bool replayed = replay && job.replay(*replay);
  const bool both = text && !ocr.empty();
  if (!replayed && both) job.read_drawn_text(*ocr.front(), parts_->formulas);
  // Another program's OCR may be old: it is read again, and kept where ours is not sure.
  if (!replayed && both && job.hides_text()) job.distrust();
  if (replayed) {
    if (job.trusted() && text) job.add(*text);
  } else {
    if (job.trusted()) job.use_text_layer(text);
    if (both && !job.read_clippings(*text, ocr, parts_->formulas) && job.trusted())
      job.read_pictures(*text, *ocr.front());
  }
  if (job.blank() && !job.has_text_layer()) {
    job.note_blank();
    return job.take();
  }
  if (!replayed && !job.trusted()) {
    const bool read = !ocr.empty() && job.read_raster(ocr, parts_->formulas);
    // A text layer that is not trusted is still better than nothing.
    if (!read && job.has_text_layer()) {
      job.use_text_layer(text);
      job.doubt_text_layer();
    }
    if (!read && !job.has_text_layer()) job.detect({}, {});
    if (read) job.count_words(ocr.front()->name());
  }
  if (!replayed && text && !job.coverage_known()) job.count_words(text->name());
  for (Drafter* drafter : others) job.add(*drafter);
  if (replayed || job.trusted()) job.find_skew();
  if (ocr.empty() && !replayed) job.note_if_unread();
  if (!ocr.empty() && !replayed) job.note_if_specks_only();
  return job.take();
}

DraftedPage PageDrafter::text_layer(const DocumentReader& reader, int page) {
  PageJob job(parts_->options, *parts_->detector, reader, page);
  job.read_text_layer();
  job.join_formulas();
  const auto text = make_text_layer_drafter();
  if (job.has_text_layer()) job.use_text_layer(text.get());
  return job.take();
}

}  // namespace docspec
