#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include "core/finish/finish_document.h"

namespace docspec {
namespace {

constexpr std::array<std::string_view, 10> kRaised = {"⁰", "¹", "²", "³", "⁴",
                                                      "⁵", "⁶", "⁷", "⁸", "⁹"};
constexpr std::array<std::string_view, 4> kSigns = {"†", "‡", "§", "∗"};

/// A number or sign of a footnote in a text, and its plain form: "¹²" -> "12".
struct NoteMark {
  size_t from = 0, to = 0;
  std::string name;
};

/// The raised digits or the sign at `at`.
std::optional<NoteMark> mark_at(std::string_view text, size_t at) {
  NoteMark mark{at, at, ""};
  for (const std::string_view sign : kSigns) {
    if (!text.substr(at).starts_with(sign)) continue;
    const size_t end = at + sign.size();
    if (sign == "§" && end < text.size() && std::isdigit(uint8_t(text[end])))
      return std::nullopt;  // "§3" names a section
    return NoteMark{at, end, std::string(sign)};
  }
  for (bool more = true; more;) {
    more = false;
    for (size_t d = 0; d < kRaised.size(); ++d)
      if (text.substr(mark.to).starts_with(kRaised[d])) {
        mark.name += char('0' + d);
        mark.to += kRaised[d].size();
        more = true;
        break;
      }
  }
  if (mark.name.empty() || mark.name.size() > 3) return std::nullopt;
  return mark;
}

/// The mark that opens a note: raised digits, a sign, or "38." in plain digits.
std::optional<NoteMark> opening(std::string_view text) {
  if (const auto mark = mark_at(text, 0)) return mark;
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 3 || digits == text.size()) return std::nullopt;
  const size_t end = digits + (text[digits] == '.' || text[digits] == ')');
  if (text[digits] != ' ' && text.substr(end, 1) != " ") return std::nullopt;
  return NoteMark{0, end, std::string(text.substr(0, digits))};
}

/// Whether a text ends with a raised sign, as of the exponent "⁻¹".
bool ends_with_raised_sign(std::string_view text) {
  return text.ends_with("⁺") || text.ends_with("⁻") || text.ends_with("⁼");
}

/// Raised numbers and signs that may refer to a note. After a digit and a raised sign it is an
/// exponent, after a letter that stands alone, as in "m²", a unit or a name.
std::vector<NoteMark> references(std::string_view text) {
  std::vector<NoteMark> out;
  for (size_t at = 1; at < text.size(); ++at) {
    const auto mark = mark_at(text, at);
    if (!mark) continue;
    const char before = text[at - 1];
    const bool alone =
        std::isalpha(uint8_t(before)) && (at < 2 || !std::isalpha(uint8_t(text[at - 2])));
    const bool exponent = std::isdigit(uint8_t(before)) || before == ' ' || alone ||
                          ends_with_raised_sign(text.substr(0, at)) ||
                          (uint8_t(before) >= 0x80 && mark_at(text, at >= 2 ? at - 2 : 0));
    if (!exponent) out.push_back(*mark);
    at = mark->to - 1;
  }
  return out;
}

void add(Block& block, const NoteMark& mark, const std::string& name) {
  block.marks.push_back({TextMark::Kind::note, mark.from, mark.to, name});
  std::stable_sort(block.marks.begin(), block.marks.end(),
                   [](const TextMark& a, const TextMark& b) { return a.from < b.from; });
}

bool plain_text(const Block& block) {
  return !block.markdown_text &&
         (block.kind == RegionKind::text || block.kind == RegionKind::list_item ||
          block.kind == RegionKind::caption);
}

}  // namespace

void link_notes(Document& document) {
  std::set<std::string> names;
  for (Page& page : document.pages)
    for (Block& note : page.blocks) {
      if (note.kind != RegionKind::footnote || note.markdown_text) continue;
      const auto mark = opening(note.text);
      if (!mark) continue;
      Block* from = nullptr;
      NoteMark reference;
      int found = 0;
      for (Block& block : page.blocks) {
        if (!plain_text(block)) continue;
        for (const NoteMark& other : references(block.text))
          if (other.name == mark->name) {
            from = &block;
            reference = other;
            ++found;
          }
      }
      if (found != 1) continue;
      std::string name = mark->name;
      if (!std::isdigit(uint8_t(name[0]))) name = "note";
      if (!names.insert(name).second) {
        name = "p" + std::to_string(page.page) + "-" + name;
        if (!names.insert(name).second) continue;
      }
      add(note, *mark, name);
      add(*from, reference, name);
    }
}

}  // namespace docspec
