#include "core/markup/formats/marked_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "core/markup/formats/harmless_markdown.h"
#include "core/markup/formats/markdown_inline.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

using Kind = TextMark::Kind;

/// A part of a text within which nothing changes.
struct Run {
  size_t from = 0, to = 0;
  bool bold = false, italic = false, code = false, formula = false;
  const TextMark* link = nullptr;
  const TextMark* note = nullptr;

  bool emphasised() const { return bold || italic; }
};

bool is_formula(std::string_view text) {
  return text.size() > 2 && text.starts_with('$') && formula_length(text) == text.size();
}

std::vector<Run> runs_of(std::string_view text, const std::vector<TextMark>& marks) {
  std::set<size_t> bounds = {0, text.size()};
  for (const TextMark& mark : marks) bounds.insert({mark.from, mark.to});
  std::vector<Run> runs;
  for (auto at = bounds.begin(); std::next(at) != bounds.end(); ++at) {
    Run run{*at, *std::next(at)};
    for (const TextMark& mark : marks) {
      if (mark.from > run.from || mark.to < run.to) continue;
      run.bold |= mark.kind == Kind::bold;
      run.italic |= mark.kind == Kind::italic;
      run.code |= mark.kind == Kind::code;
      run.formula |=
          mark.kind == Kind::formula && is_formula(text.substr(mark.from, mark.to - mark.from));
      if (mark.kind == Kind::link) run.link = &mark;
      if (mark.kind == Kind::note) run.note = &mark;
    }
    if (run.code || run.formula) run.bold = run.italic = false;
    Run* last = runs.empty() ? nullptr : &runs.back();
    if (last && last->bold == run.bold && last->italic == run.italic && last->code == run.code &&
        !last->formula && !run.formula && last->link == run.link && last->note == run.note)
      last->to = run.to;
    else
      runs.push_back(run);
  }
  return runs;
}

/// An address without its scheme and its last slash.
std::string_view bare(std::string_view address) {
  for (const std::string_view scheme : {"http://", "https://", "mailto:"})
    if (address.starts_with(scheme)) address.remove_prefix(scheme.size());
  if (address.ends_with('/')) address.remove_suffix(1);
  return address;
}

/// An address between the brackets of a link: all that could end it, or be read as markup, is
/// encoded.
std::string destination(std::string_view address) {
  constexpr std::string_view kPlain = "-._~:/?#@!$'+,;=%";
  std::string out;
  for (const char c : address)
    if (std::isalnum(uint8_t(c)) || kPlain.find(c) != kPlain.npos)
      out += c;
    else
      out += c == '&' ? "&amp;" : fmt::format("%{:02X}", uint8_t(c));
  return out;
}

/// Whether emphasis may begin (end) between these two characters: a letter inside, or nothing
/// outside, or a sign on both sides.
bool flanks(uint32_t inside, uint32_t outside) {
  constexpr std::string_view kSigns = ".,;:!?()[]";
  const auto is_sign = [&](uint32_t c) { return c < 0x80 && kSigns.find(char(c)) != kSigns.npos; };
  return (is_word(int32_t(inside)) && inside != '_') || outside == 0 || outside == ' ' ||
         outside == '\n' || (is_sign(inside) && is_sign(outside));
}

class MarkWriter {
 public:
  MarkWriter(std::string_view text, const std::vector<TextMark>& marks, bool note)
      : text_(text), note_(note), runs_(runs_of(text, marks)) {
    escapes_ = markdown_escapes(text);
    // Next to markup these may get a meaning that they do not have in the text alone.
    for (size_t i = 0; i < text.size(); ++i)
      if (std::string_view("*_~\\").find(text[i]) != std::string_view::npos) escapes_[i] = true;
    const bool formulas =
        std::any_of(runs_.begin(), runs_.end(), [](auto& run) { return run.formula; });
    for (size_t i = 0; formulas && i < text.size(); ++i)
      if (text[i] == '$') escapes_[i] = true;  // a price would open a formula
  }

  std::string write() {
    for (size_t i = 0; i < runs_.size(); ++i) {
      const Run& run = runs_[i];
      if (run.note && !run.link) {
        write_note(run);
        continue;
      }
      if (run.link && run.link != last_link(i)) open_link(run);
      if (run.formula)
        write_formula(run);
      else
        write_part(run);
      if (open_ && (i + 1 == runs_.size() || runs_[i + 1].link != run.link)) {
        out_ += "](" + destination(run.link->target) + ")";
        open_ = false;
      }
    }
    return std::move(out_);
  }

 private:
  const TextMark* last_link(size_t i) const { return i > 0 ? runs_[i - 1].link : nullptr; }

  void open_link(const Run& run) {
    const auto shown = text_.substr(run.link->from, run.link->to - run.link->from);
    open_ = bare(shown) != bare(run.link->target);
    if (!open_) return;
    if (out_.ends_with('!')) out_.insert(out_.size() - 1, "\\");  // "![" opens an image
    out_ += '[';
  }

  void write_note(const Run& run) {
    const bool definition = note_ && run.from == 0;
    out_ += "[^" + run.note->target + (definition ? "]: " : "]");
    if (definition) skip_ = text_.find_first_not_of(' ', run.to);
    apart_ = true;
  }

  void write_formula(const Run& run) {
    out_ += harmless_latex(text_.substr(run.from, run.to - run.from));
    apart_ = true;
  }

  void write_part(const Run& run) {
    size_t from = std::max(run.from, std::min(skip_, run.to)), to = run.to;
    while (from < to && text_[from] == ' ') escaped(from, from + 1), ++from;
    while (to > from && text_[to - 1] == ' ') --to;
    const std::string_view part = text_.substr(from, to - from);
    const bool code = run.code && !part.empty() && part.find_first_of("`\n") == part.npos;
    if (code) {
      out_.append("`").append(part).append("`");
      apart_ = true;
    } else if (run.emphasised() && !part.empty() && apart_ && can_emphasise(from, to)) {
      const std::string stars(run.bold && run.italic ? 3 : run.bold ? 2 : 1, '*');
      out_ += stars;
      escaped(from, to);
      out_ += stars;
      apart_ = to < run.to;
    } else {
      escaped(from, to);
      if (to > from) apart_ = true;
    }
    escaped(to, run.to);
    if (run.to > to) apart_ = true;
  }

  bool can_emphasise(size_t from, size_t to) const {
    const uint32_t first = first_code_point(text_.substr(from, to - from));
    const uint32_t last = last_code_point(text_.substr(from, to - from));
    const uint32_t before = from > 0 ? last_code_point(text_.substr(0, from)) : 0;
    const uint32_t after = to < text_.size() ? first_code_point(text_.substr(to)) : 0;
    return flanks(first, before) && flanks(last, after);
  }

  void escaped(size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      const bool bracket =
          open_ && std::string_view("[]^").find(text_[i]) != std::string_view::npos;
      if (escapes_[i] || bracket) out_ += '\\';
      out_ += text_[i];
    }
  }

  std::string_view text_;
  bool note_;
  std::vector<Run> runs_;
  std::vector<bool> escapes_;
  std::string out_;
  bool open_ = false;  // a link
  bool apart_ = true;  // no emphasis has just ended
  size_t skip_ = 0;    // the first byte of a note after its number
};

}  // namespace

std::string marked_markdown(std::string_view text, const std::vector<TextMark>& marks, bool note) {
  const bool sound = std::all_of(marks.begin(), marks.end(), [&](const TextMark& mark) {
    return mark.from < mark.to && mark.to <= text.size();
  });
  return sound && !text.empty() ? MarkWriter(text, marks, note).write() : escape_markdown(text);
}

}  // namespace docspec
