#include "drafts/replay/replay_drafter.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace docspec {
namespace {

class ReplayDrafter : public Drafter {
 public:
  explicit ReplayDrafter(std::shared_ptr<const DraftsFile> file) : file_(std::move(file)) {
    if (!file_) throw Error(ExitCode::usage, "replay: no file; write replay:FILE");
  }
  std::string_view name() const override { return "replay"; }
  DrafterRole role() const override { return DrafterRole::replay; }

  std::optional<std::vector<Region>> regions(const PageInput& page) override {
    auto replayed = replay_page(*file_, page);
    if (!replayed) return std::nullopt;
    return std::move(replayed->regions);
  }

  std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) override {
    const auto replayed = replay_page(*file_, page);
    if (!replayed) return {};
    std::vector<Draft> drafts;
    for (const Draft& draft : replayed->drafts) {
      const bool wanted =
          !draft.region || std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
            return region.id == *draft.region;
          });
      if (wanted) drafts.push_back(draft);
    }
    return drafts;
  }

 private:
  std::shared_ptr<const DraftsFile> file_;
};

}  // namespace

std::optional<PageDrafts> replay_page(const DraftsFile& file, const PageInput& page) {
  const auto found = std::find_if(file.pages.begin(), file.pages.end(),
                                  [&](const PageDrafts& p) { return p.page == page.page; });
  if (found == file.pages.end()) return std::nullopt;
  PageDrafts scaled = *found;
  const double sx = double(page.width_px) / found->width_px;
  const double sy = double(page.height_px) / found->height_px;
  const auto scale = [&](Box& box) {
    box = {int(std::lround(box.x0 * sx)), int(std::lround(box.y0 * sy)),
           int(std::lround(box.x1 * sx)), int(std::lround(box.y1 * sy))};
  };
  for (Region& region : scaled.regions) scale(region.box);
  for (Draft& draft : scaled.drafts)
    for (Word& word : draft.words) scale(word.box);
  scaled.width_px = page.width_px;
  scaled.height_px = page.height_px;
  scaled.dpi = page.dpi;
  return scaled;
}

std::unique_ptr<Drafter> make_replay_drafter(std::shared_ptr<const DraftsFile> file) {
  return std::make_unique<ReplayDrafter>(std::move(file));
}

}  // namespace docspec
