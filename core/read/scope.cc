#include "core/read/scope.h"

#include <algorithm>
#include <stdexcept>

#include "core/base/error.h"
#include "core/document/page_blocks.h"
#include "core/model/image/scaled_image.h"
#include "core/model/prompt_set.h"
#include "core/model/vlm.h"
#include "core/page/text_size.h"
#include "core/read/crop_view.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

/// The box of a region with a margin, because a box may cut ascenders. Parts of a region
/// (Region::whole) end where the next one begins.
Box crop_box(const PageImage& page, const Region& region) {
  const int margin_px = crop_margin_px(page);
  Box box = pad(region.box, margin_px, page.width_px(), page.height_px());
  if (region.whole) box.y0 = region.box.y0, box.y1 = region.box.y1;
  return box;
}

Box whole(const PageImage& page) {
  return {0, 0, page.width_px(), page.height_px()};
}

/// The draft as a block of the page; text of a page-wide draft has the page as its box. What stands
/// in a picture is text, too: some models write it.
Block block_of(const Draft& draft, const Region* region, const PageImage& page) {
  Block block = make_block(region ? *region : Region{.box = whole(page)}, &draft, page.dpi());
  if (block.kind == RegionKind::picture) block.text = draft.text;
  return block;
}

double glyph_size(const StageInput& input) {
  return input.em_px > 0 ? input.em_px : page_em_px(input.drafts);
}

double view_scale(const Vlm& vlm, const PageImage& page, double em_px) {
  const double longest = vlm.prompts().longest_px();
  const double most = longest > 0 ? longest / std::max(page.width_px(), page.height_px()) : 1e9;
  return std::min(text_scale(em_px, vlm.prompts().text_px()), most);
}

}  // namespace

std::string with_plain_quotes(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t from = at;
    const uint32_t c = next_code_point(text, at);
    if (c == 0x2018 || c == 0x2019)
      out += '\'';
    else if (c == 0x201C || c == 0x201D)
      out += '"';
    else if (c == 0x2010 || c == 0x2011)
      out += '-';
    else
      out.append(text, from, at - from);
  }
  return out;
}

std::string_view question_of(RegionKind kind) {
  if (kind == RegionKind::table) return "table";
  return kind == RegionKind::formula ? "formula" : "text";
}

std::vector<const PageImage*> Scope::images() const {
  std::vector<const PageImage*> out{&image};
  for (const Scope& page : next_pages) out.push_back(&page.image);
  return out;
}

double page_em_px(std::span<const Draft> drafts) {
  std::vector<const Draft*> all;
  for (const Draft& draft : drafts) all.push_back(&draft);
  return text_em_px(all);
}

ImageSize view_size(const Vlm& vlm, const PageImage& page, double em_px) {
  return scaled_size(page, view_scale(vlm, page, em_px));
}

PageFrame model_frame(const Vlm& vlm, const ImageSize& image) {
  const PatchGrid grid = vlm.image_processor().grid(image.width_px, image.height_px);
  const int patch = int(vlm.image_processor().config().patch);
  return {image.width_px * 72 / image.dpi, image.height_px * 72 / image.dpi, int(grid.w) * patch,
          int(grid.h) * patch};
}

const Region* region_of(const Draft& draft, std::span<const Region> regions) {
  for (const Region& region : regions)
    if (draft.region == region.id) return &region;
  return nullptr;
}

PageFrame frame_of(const StageEngine& engine, const Scope& scope) {
  return model_frame(engine.vlm,
                     {scope.image.width_px(), scope.image.height_px(), scope.image.dpi()});
}

bool low_confidence(const Scope& scope) {
  constexpr double kSure = 0.8;
  return std::all_of(scope.drafts.begin(), scope.drafts.end(),
                     [](const Draft* draft) { return draft->confidence < kSure; });
}

Scope page_scope(const StageEngine& engine, const StageInput& input) {
  const double em_px = glyph_size(input);
  Scope page{nullptr,
             whole(*input.image),
             scaled(*input.image, view_scale(engine.vlm, *input.image, em_px)),
             em_px,
             "page",
             {},
             &input,
             {}};
  for (const Draft& draft : input.drafts)
    if (!draft.text.empty()) page.drafts.push_back(&draft);
  return page;
}

Scope pages_scope(const StageEngine& engine, std::span<const StageInput> pages) {
  Scope scope = page_scope(engine, pages[0]);
  for (const StageInput& page : pages.subspan(1))
    scope.next_pages.push_back(page_scope(engine, page));
  scope.question = "pages";
  return scope;
}

Scope layout_scope(const StageEngine& engine, const StageInput& input) {
  const int side = engine.vlm.prompts().layout_px();
  return {
      nullptr, whole(*input.image), stretched(*input.image, side, side), 0, "layout", {}, &input,
      {}};
}

std::vector<Scope> region_scopes(const StageEngine& engine, const StageInput& input) {
  // Letters of a title are twice as large as those of the page: each region has a scale of its own.
  // If none of its words is long enough to measure, it gets the scale of the page.
  std::vector<Scope> scopes;
  const double usual_em_px = glyph_size(input);
  for (const Region& region : input.regions) {
    Scope scope{
        &region, crop_box(*input.image, region), {}, 0, question_of(region.kind), {}, &input, {}};
    for (const Draft& draft : input.drafts)
      if (draft.region == region.id && !draft.text.empty()) scope.drafts.push_back(&draft);
    const bool found = engine.vlm.prompts().asks("layout");  // by the model: text is there
    if (region.kind == RegionKind::picture || (scope.drafts.empty() && !found)) continue;
    const double em_px = text_em_px(scope.drafts);
    scope.em_px = em_px > 0 ? em_px : usual_em_px;
    try {
      scope.image = scaled(input.image->crop(scope.frame),
                           text_scale(scope.em_px, engine.vlm.prompts().text_px()));
      engine.vlm.image_processor().grid(scope.image.width_px(), scope.image.height_px());
    } catch (const Error&) {
      continue;  // too narrow for the model: the page stage has its draft
    } catch (const std::invalid_argument&) {
      continue;  // a box outside the page
    }
    scopes.push_back(std::move(scope));
  }
  return scopes;
}

std::string written_draft(const Dialect& dialect, std::string_view question, const PageFrame& frame,
                          const PageImage& page, const Region* region, const Draft& draft) {
  // The answer to a plain prompt for a crop is plain text; tables and pages come in markup.
  const bool plain = question == "text" || question == "formula";
  return plain ? draft.text : dialect.render_block(block_of(draft, region, page), frame);
}

std::vector<std::string> written_pages(const Dialect& dialect, const PageFrame& frame,
                                       const PageDrafts& drafts) {
  std::vector<std::string> out{dialect.render_page(page_blocks(drafts).blocks, frame)};
  if (std::string plain = with_plain_quotes(out[0]); plain != out[0])
    out.push_back(std::move(plain));
  return out;
}

DraftTokens tokens_of(const StageEngine& engine, const Scope& scope, const PageFrame& frame,
                      const Draft& draft) {
  const StageInput& input = *scope.input;
  return {draft.source,
          input.texts->ids(written_draft(engine.dialect, scope.question, frame, *input.image,
                                         region_of(draft, input.regions), draft))};
}

Draft draft_of(const StageEngine& engine, const Scope& scope, const Job& job) {
  Draft draft;
  draft.source = "verified";
  draft.text = engine.vlm.tokenizer().decode(job.output(), true);
  if (!scope.region) return draft;
  draft.region = scope.region->id;
  if (scope.region->kind == RegionKind::table)  // the answer is markup: its table is the draft
    for (const Block& block : engine.dialect.parse_page(draft.text, frame_of(engine, scope)))
      if (block.html) {
        draft.text = *block.html;
        break;
      }
  return draft;
}

}  // namespace docspec
