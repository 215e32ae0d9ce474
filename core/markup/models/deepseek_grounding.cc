#include "core/markup/models/deepseek_grounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/markup/base/marked_text.h"
#include "core/markup/formats/markdown.h"
#include "core/text/trim.h"

namespace docspec {
namespace {

constexpr std::string_view kRef = "<|ref|>", kRefEnd = "<|/ref|>", kDet = "<|det|>",
                           kDetEnd = "<|/det|>";
constexpr int kMost = 999;  // the coordinate of the right and lower edge

/// The first name of a kind is the one that is written.
constexpr std::pair<std::string_view, RegionKind> kLabels[] = {
    {"title", RegionKind::title},
    {"sub_title", RegionKind::section_header},
    {"text", RegionKind::text},
    {"equation", RegionKind::formula},
    {"image", RegionKind::picture},
    {"table", RegionKind::table},
    {"image_caption", RegionKind::caption},
    {"figure_title", RegionKind::caption},
    {"table_caption", RegionKind::caption},
    {"table_title", RegionKind::caption},
    {"footnote", RegionKind::footnote},
    {"table_footnote", RegionKind::footnote},
    {"header", RegionKind::page_header},
    {"footer", RegionKind::page_footer},
};

std::string_view label_of(RegionKind kind) {
  for (const auto& [label, known] : kLabels)
    if (known == kind) return label;
  return "text";
}

/// The frame whose pixels are the coordinates.
PageFrame steps(const PageFrame& frame) {
  return {frame.width_pt, frame.height_pt, kMost, kMost};
}

/// All numbers of "[[1, 2, 3, 4], [5, 6, 7, 8]]", four a box; what does not fill a box is left out.
std::vector<Box> boxes(std::string_view text) {
  std::vector<int> sides;
  for (size_t at = 0; at < text.size();) {
    double value = 0;
    const auto [stop, error] = std::from_chars(&text[at], text.data() + text.size(), value);
    if (error == std::errc() && std::abs(value) < 1e6) sides.push_back(int(std::lround(value)));
    at += std::max<size_t>(1, size_t(stop - &text[at]));
  }
  std::vector<Box> out;
  for (size_t i = 0; i + 4 <= sides.size(); i += 4)
    out.push_back({sides[i], sides[i + 1], sides[i + 2], sides[i + 3]});
  return out;
}

Box around(const std::vector<Box>& boxes) {
  Box out = boxes[0];
  for (const Box& box : boxes)
    out = {std::min(out.x0, box.x0), std::min(out.y0, box.y0), std::max(out.x1, box.x1),
           std::max(out.y1, box.y1)};
  return out;
}

/// One block: a `<|ref|>`, or Unlimited-OCR's `<|det|>`, with what belongs to it.
struct Element {
  std::string label, text;
  std::vector<Box> boxes;
  bool cut = false;  ///< the label was not closed
};

/// Removes and returns `text` up to the first of `ends`; also removes that end if it is `ends`[0].
std::string_view take(std::string_view& text, std::initializer_list<std::string_view> ends,
                      bool& closed) {
  size_t at = text.size();
  for (const std::string_view end : ends) at = std::min(at, text.find(end));
  const std::string_view part = text.substr(0, at);
  closed = text.substr(at).starts_with(*ends.begin());
  text.remove_prefix(closed ? at + ends.begin()->size() : at);
  return part;
}

/// Boxes that no tag closes end with their brackets, or where words begin.
std::vector<Box> take_boxes(std::string_view& text) {
  size_t length = std::min(text.find_first_not_of("[]0123456789,.- \t"), text.size());
  if (const size_t close = text.find("]]"); close < length) length = close + 2;
  std::vector<Box> out = boxes(text.substr(0, length));
  text.remove_prefix(length);
  if (text.starts_with(kDetEnd)) text.remove_prefix(kDetEnd.size());
  return out;
}

/// Reads an element after its tag `begin`, up to the next one.
Element take_element(std::string_view& text, std::string_view begin) {
  Element out;
  bool closed = false;
  if (begin == kRef) {
    out.label = trimmed(take(text, {kRefEnd, kDet, kRef, "\n"}, closed));
    out.cut = !closed;
    if (text.starts_with(kDet)) {
      text.remove_prefix(kDet.size());
      out.boxes = take_boxes(text);
    }
  } else {
    out.label = trimmed(take(text, {kDetEnd, "[", kDet, "\n"}, closed));
    out.cut = !closed;
    if (text.starts_with("[")) {
      out.boxes = take_boxes(text);
      out.cut = false;
    }
  }
  const size_t end = std::min(text.find(begin), text.size());
  out.text = trimmed(text.substr(0, end));
  text.remove_prefix(end);
  return out;
}

/// A tag that the end cut off, or that stands alone, is no text.
std::string without_tags(std::string_view text, bool last) {
  std::string out(text);
  for (const std::string_view tag : {kRef, kRefEnd, kDet, kDetEnd}) {
    for (size_t at = 0; (at = out.find(tag, at)) != std::string::npos;) out.erase(at, tag.size());
    if (!last) continue;
    for (size_t n = tag.size() - 1; n > 0; --n)
      if (out.ends_with(tag.substr(0, n))) {
        out.resize(out.size() - n);
        break;
      }
  }
  return trimmed(out);
}

class DeepseekGrounding : public Dialect {
 public:
  /// begin: the tag that begins a block, kRef or kDet.
  explicit DeepseekGrounding(std::string_view begin) : begin_(begin) {}

  std::string render_block(const Block& block, const PageFrame& frame) const override {
    const bool ref = begin_ == kRef;
    std::string out = std::string(begin_) + std::string(label_of(block.kind));
    if (ref) out += kRefEnd;
    const bool placed = !(block.box_pt == PointBox{}) && frame.width_pt > 0 && frame.height_pt > 0;
    if (placed) {
      const Box box = steps(frame).to_frame(block.box_pt);
      const std::string sides = fmt::format("[{}, {}, {}, {}]", box.x0, box.y0, box.x1, box.y1);
      out += ref ? std::string(kDet) + "[" + sides + "]" : " " + sides;
    }
    if (placed || !ref) out += kDetEnd;
    const std::string text =
        block.kind == RegionKind::picture ? "" : with_marks(block, "\\[\n", "\n\\]");
    return text.empty() ? out : out + (ref ? "\n" : "") + text;
  }

  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    std::string out;
    for (const Block& block : blocks) {
      const bool picture = block.kind == RegionKind::picture;
      out += render_block(block, frame) + (begin_ == kDet ? "\n" : picture ? "\n\n" : " \n\n");
    }
    return out;
  }

  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    std::vector<Block> blocks;
    const size_t first = std::min(text.find(begin_), text.size());
    add_markdown(without_tags(text.substr(0, first), first == text.size()), frame, blocks);
    text.remove_prefix(first);
    while (!text.empty()) {
      text.remove_prefix(begin_.size());
      Element element = take_element(text, begin_);
      element.text = without_tags(element.text, text.empty());
      element.label = without_tags(element.label, text.empty());
      add(std::move(element), frame, text.empty(), blocks);
    }
    number_blocks(blocks);
    return blocks;
  }

 private:
  void add_markdown(const std::string& text, const PageFrame& frame,
                    std::vector<Block>& blocks) const {
    if (text.empty()) return;
    for (Block& block : markdown_->parse_page(text, frame)) blocks.push_back(std::move(block));
  }

  static void add(Element element, const PageFrame& frame, bool last, std::vector<Block>& blocks) {
    Block block;
    const auto* known =
        std::find_if(std::begin(kLabels), std::end(kLabels),
                     [&](const auto& entry) { return entry.first == element.label; });
    const bool cut = last && element.cut && element.text.empty() &&
                     std::any_of(std::begin(kLabels), std::end(kLabels), [&](const auto& entry) {
                       return entry.first.starts_with(element.label);
                     });
    if (cut) return;
    if (known != std::end(kLabels))
      block.kind = known->second;
    else if (!element.label.empty())
      element.text = element.label + (element.text.empty() ? "" : "\n" + element.text);
    if (block.kind == RegionKind::picture) return add_pictures(element, frame, blocks);
    if (!element.boxes.empty()) block.box_pt = steps(frame).to_points(around(element.boxes));
    block.text = std::move(element.text);
    if (block.text.empty()) return;
    if (block.kind == RegionKind::text && list_mark(block.text) > 0)
      block.kind = RegionKind::list_item;
    add_element(std::move(block), "\\]", blocks);
  }

  /// Adds a picture for each box; words next to them become text blocks.
  static void add_pictures(const Element& element, const PageFrame& frame,
                           std::vector<Block>& blocks) {
    Block block;
    block.kind = RegionKind::picture;
    for (const Box& box : element.boxes) {
      block.box_pt = steps(frame).to_points(box);
      blocks.push_back(block);
    }
    if (element.boxes.empty()) blocks.push_back(block);
    if (element.text.empty()) return;
    blocks.emplace_back().text = element.text;
  }

  const std::string_view begin_;
  std::unique_ptr<Dialect> markdown_ = make_markdown_dialect();
};

}  // namespace

std::unique_ptr<Dialect> make_deepseek_grounding_dialect() {
  return std::make_unique<DeepseekGrounding>(kRef);
}
std::unique_ptr<Dialect> make_unlimited_grounding_dialect() {
  return std::make_unique<DeepseekGrounding>(kDet);
}

}  // namespace docspec
