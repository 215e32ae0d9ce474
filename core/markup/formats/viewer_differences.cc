#include "core/markup/formats/viewer_differences.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/markup/base/html_tree.h"

namespace docspec {
namespace {

constexpr std::string_view kDifferencesStyle = R"(<style>
rect.diff { fill: #d11; fill-opacity: .22; stroke: none; pointer-events: none; }
rect.diff.kept { fill: #e90; }
rect.diff.here { fill-opacity: .5; stroke: #d11; stroke-opacity: 1; }
.diffs { list-style: none; font: 13px/1.5 system-ui, sans-serif; margin: .2em 0 .6em; }
span.diff { margin-right: 1em; white-space: nowrap; }
span.diff del { color: #a00; } span.diff ins { color: #070; text-decoration: none; }
span.diff.here { outline: 2px solid #d11; outline-offset: 2px; }
#differences { position: fixed; right: 1em; bottom: 1em; z-index: 2; }
@media (prefers-color-scheme: dark) { span.diff del { color: #f99; } span.diff ins { color: #9d9; } }
@media print { #differences { display: none; } }
</style>
)";

constexpr std::string_view kDifferencesScript = R"(<script>
{ const spots = [...document.querySelectorAll('span.diff')];
  const button = document.createElement('button'); let at = -1;
  const label = () => { button.textContent = at < 0 ? `${spots.length} differences: n` : `${at + 1} of ${spots.length}: n, N`; };
  const step = by => { at = at < 0 && by < 0 ? spots.length - 1 : (at + by + spots.length) % spots.length;
    document.querySelectorAll('.diff.here').forEach(e => e.classList.remove('here'));
    document.querySelectorAll(`[data-difference="${spots[at].dataset.difference}"]`).forEach(e => e.classList.add('here'));
    spots[at].scrollIntoView({ block: 'center' }); label(); };
  if (spots.length) { button.id = 'differences'; button.onclick = () => step(1); label(); document.body.append(button);
    document.addEventListener('keydown', e => { if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest('input')) return;
      if (e.key === 'n') step(1); if (e.key === 'N') step(-1); }); } }
</script>
)";

/// Calls `use` with each difference of the block and its number there.
template <typename Use>
void for_each_difference(const Block& block, Use use) {
  size_t number = 0;
  for (const WordReading& word : block.words)
    if (word.differs()) use(word, number++);
}

std::string attributes(const Page& page, const Block& block, const WordReading& word,
                       size_t number) {
  return fmt::format(" class=\"diff{}\" data-difference=\"{}-{}-{}\"",
                     word.source == WordSource::model ? " kept" : "", page.page, block.id, number);
}

}  // namespace

std::string difference_rects(const Page& page) {
  std::string out;
  for (const Block& block : page.blocks)
    for_each_difference(block, [&](const WordReading& word, size_t number) {
      const PointBox& box = word.box_pt;
      out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"{}/>",
                         box.x0, box.y0, std::max(0.0, box.x1 - box.x0),
                         std::max(0.0, box.y1 - box.y0), attributes(page, block, word, number));
    });
  return out;
}

std::string difference_notes(const Page& page, const Block& block) {
  std::string out;
  for_each_difference(block, [&](const WordReading& word, size_t number) {
    const std::string other = word.ocr ? *word.ocr : word.document.value_or("");
    const bool kept = word.source == WordSource::model;
    const auto shown = [](std::string_view tag, const std::string& text) {
      return text.empty() ? "" : fmt::format("<{0}>{1}</{0}> ", tag, escape_html(text));
    };
    out += "<span" + attributes(page, block, word, number) + ">" +
           shown("del", kept ? other : *word.model) + shown("ins", word.text) + "<small>" +
           escape_html(std::string(name(word.source)) + (word.doubtful ? ", doubtful" : "") +
                       (word.why.empty() ? "" : ": " + word.why)) +
           "</small></span>\n";
  });
  const std::string tag = block.kind == RegionKind::list_item ? "li" : "p";
  return out.empty() ? "" : "<" + tag + " class=\"diffs\">" + out + "</" + tag + ">\n";
}

std::string_view difference_style() {
  return kDifferencesStyle;
}

std::string_view difference_script() {
  return kDifferencesScript;
}

}  // namespace docspec
