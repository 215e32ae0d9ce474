#include "drafts/regions/pieces.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <numeric>
#include <string>

#include "drafts/layout/paragraphs.h"
#include "drafts/lines/line_text.h"
#include "drafts/lines/reading_order.h"

namespace docspec {
namespace {

/// Rules that part a page, and stand within none of its pieces: from edge to edge of its text, or
/// across the gutter in the middle of it, as above the references of a paper.
std::vector<Box> parting_rules(const std::vector<Piece>& pieces, const RulingLines& rules) {
  Box text;
  for (const Piece& piece : pieces)
    if (piece.place == Place::body) text = unite(text, piece.box);
  const int middle = (text.x0 + text.x1) / 2;
  const bool gutter = std::none_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
    return piece.place == Place::body && piece.box.x0 < middle && piece.box.x1 > middle &&
           piece.box.width() * 3 < text.width() * 2;
  });
  const auto parts = [&](const Box& rule) {
    const int off = std::abs((rule.x0 + rule.x1) / 2 - middle);
    return rule.width() * 10 > text.width() * 9 ||
           (gutter && rule.width() * 4 > text.width() && off * 50 < text.width());
  };
  std::vector<Box> parting;
  for (const Box& rule : rules.across)
    if (parts(rule) && std::none_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
          return piece.box.y0 < rule.y1 && piece.box.y1 > rule.y0;
        }))
      parting.push_back({text.x0, rule.y0, text.x1, rule.y1});
  return parting;
}

}  // namespace

int authors_end(const std::vector<Piece>& pieces, const std::vector<TextLine>& lines,
                std::span<const Word> words) {
  const auto is_body = [](const Piece& piece) {
    return piece.place == Place::body && piece.inside < 0;
  };
  Box text;
  for (const Piece& piece : pieces)
    if (is_body(piece)) text = unite(text, piece.box);
  for (const Piece& piece : pieces) {
    if (!is_body(piece) || piece.lines.empty() || piece.box.width() * 5 > text.width() * 3)
      continue;
    const TextLine& line = lines[size_t(piece.lines.front())];
    std::string title = line.words.empty() ? std::string() : line_text(words, line.words);
    std::transform(title.begin(), title.end(), title.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    if (title != "abstract") continue;
    const int y = piece.box.y0;
    bool beside = false, across = false;
    for (const Piece& other : pieces) {
      if (!is_body(other) || &other == &piece) continue;
      across |= other.box.y0 < y - line.box.height() / 2 && other.box.y1 > y;
      beside |= other.box.y1 <= y && (other.box.x0 > piece.box.x1 || other.box.x1 < piece.box.x0);
    }
    if (beside && !across) return y;
  }
  return 0;
}

std::vector<int> order_pieces(const std::vector<Piece>& pieces, const RulingLines& rules, double em,
                              int part_at, std::span<const Word> words,
                              std::span<const Box> walls) {
  std::vector<Box> parting = parting_rules(pieces, rules);
  Box all;
  for (const Piece& piece : pieces) all = unite(all, piece.box);
  if (part_at > 0) parting.push_back({all.x0, part_at - 1, all.x1, part_at});
  std::vector<int> every(words.size());
  std::iota(every.begin(), every.end(), 0);
  const bool from_right = is_read_from_right(words, every);
  std::vector<int> order;
  const auto add = [&](auto wanted) {
    std::vector<int> chosen;
    std::vector<Box> boxes;
    for (int i = 0; i < int(pieces.size()); ++i)
      if (wanted(pieces[i])) {
        chosen.push_back(i);
        boxes.push_back(pieces[i].box);
      }
    boxes.insert(boxes.end(), parting.begin(), parting.end());
    std::vector<Box> columns(walls.begin(), walls.end());
    for (std::vector<Box>* const both : {&boxes, &columns})
      for (Box& box : *both)
        if (from_right) box = {all.x0 + all.x1 - box.x1, box.y0, all.x0 + all.x1 - box.x0, box.y1};
    std::vector<int> sorted;
    for (int k : reading_order(boxes, em, columns))
      if (k < int(chosen.size())) sorted.push_back(chosen[k]);
    return sorted;
  };
  for (Place place : {Place::header, Place::body, Place::footer})
    for (int i : add([&](const Piece& p) { return p.place == place && p.inside < 0; })) {
      order.push_back(i);
      const auto on_it = add([&](const Piece& p) { return p.inside == i; });
      order.insert(order.end(), on_it.begin(), on_it.end());
    }
  return order;
}

std::vector<TextBlock> text_parts(const Piece& piece, const std::vector<Piece>& pieces,
                                  const std::vector<TextLine>& lines, std::span<const Word> words) {
  std::vector<Box> pictures;
  for (const Piece& other : pieces)
    if (other.kind == RegionKind::picture && !intersect(other.box, piece.box).empty())
      pictures.push_back(other.box);
  std::vector<TextBlock> parts;
  for (const TextBlock& paragraph : split_paragraphs(piece.lines, lines, words)) {
    Box box;
    for (const int i : paragraph) {
      const Box& line = lines[size_t(i)].box;
      const bool holds_corner =
          std::any_of(pictures.begin(), pictures.end(), [&](const Box& picture) {
            const auto shared = [&](const Box& own) { return intersect(own, picture).area(); };
            return shared(unite(box, line)) - shared(box) - shared(line) >
                   line.height() * line.height();
          });
      if (box.empty() || holds_corner) parts.emplace_back();
      box = holds_corner ? line : unite(box, line);
      parts.back().push_back(i);
    }
  }
  return parts;
}

}  // namespace docspec
