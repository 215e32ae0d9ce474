#include "core/markup/formats/harmless_markdown.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "core/markup/formats/markdown_inline.h"

namespace docspec {
namespace {

constexpr std::string_view kFormatting[] = {"b", "br",     "del", "em",  "i", "ins",
                                            "s", "strong", "sub", "sup", "u"};

bool is_alpha(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Whether a `<` before `rest` could open a tag, a comment or an autolink.
bool opens_tag(std::string_view rest) {
  return !rest.empty() && (is_alpha(rest[0]) || rest[0] == '/' || rest[0] == '!' || rest[0] == '?');
}

/// Whether `rest`, what follows a `<`, is a tag of plain formatting without attributes.
bool is_formatting(std::string_view rest) {
  if (rest.starts_with('/')) rest.remove_prefix(1);
  size_t end = 0;
  std::string name;
  while (end < rest.size() && is_alpha(rest[end]))
    name += char(std::tolower(static_cast<unsigned char>(rest[end++])));
  rest.remove_prefix(end);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  if (rest.starts_with('/')) rest.remove_prefix(1);
  return rest.starts_with('>') && std::count(std::begin(kFormatting), std::end(kFormatting), name);
}

/// Whether a link may lead to `target`, what follows "](". `image`: it would be loaded at once, so
/// it must lie next to the document.
bool may_lead_to(std::string_view target, bool image) {
  target.remove_prefix(std::min(target.find_first_not_of(" \t\r\n"), target.size()));
  const bool quoted = target.starts_with('<');
  if (quoted) target.remove_prefix(1);
  std::string start;  // up to the first character that cannot belong to a scheme's name
  for (char c : target.substr(0, target.find_first_of(quoted ? "/?#>" : "/?#) \t\r\n")))
    start += char(std::tolower(static_cast<unsigned char>(c)));
  const bool relative = start.find_first_of(":&\\") == start.npos;
  if (image) return relative && !target.starts_with("//");
  return relative || start.starts_with("http:") || start.starts_with("https:") ||
         start.starts_with("mailto:");
}

size_t backticks(std::string_view text) {
  return std::min(text.find_first_not_of('`'), text.size());
}

/// Length of the code span that `text` begins with, which ends on the same line; 0 = none.
size_t code_length(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const size_t run = backticks(line);
  for (size_t at = run; run > 0 && (at = line.find('`', at)) != line.npos;) {
    const size_t closing = backticks(line.substr(at));
    at += closing;
    if (closing == run) return at;
  }
  return 0;
}

/// Walks once over a text. Where backticks stand that open no span on their line, renderers may
/// find other spans than this does: then code is treated as formulas are.
class Cleaner {
 public:
  Cleaner(std::string_view text, bool keep_code) : text_(text), keep_code_(keep_code) {}

  std::string run() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (const size_t formula = formula_length(rest)) {
        replace(formula);
      } else if (rest[0] == '\\' && rest.size() > 1) {
        copy(2);
      } else if (const size_t code = code_length(rest)) {
        keep_code_ ? copy(code) : replace(code);
      } else if (const size_t run = backticks(rest)) {
        lone_backticks_ = true;
        copy(run);
      } else {
        character(rest);
      }
    }
    return std::move(out_);
  }

  bool lone_backticks() const { return lone_backticks_; }

 private:
  void copy(size_t count) {
    if (text_[at_] == '\\' && count == 2) break_autolinks();
    out_ += text_.substr(at_, count);
    at_ += count;
  }

  /// A backslash follows: before it stands no address that renderers make a link of by themselves.
  void break_autolinks() {
    const size_t from = out_.find_last_of(" \t\r\n") + 1;  // 0 where there is none
    const auto breaks = autolink_breaks(std::string_view(out_).substr(from));
    for (auto at = breaks.rbegin(); at != breaks.rend(); ++at)
      if (from + *at == 0 || out_[from + *at - 1] != '\\') out_.insert(from + *at, 1, '\\');
  }

  void replace(size_t count) {
    out_ += harmless_latex(text_.substr(at_, count));
    at_ += count;
  }

  void character(std::string_view rest) {
    const std::string_view after = rest.substr(1);
    bool escape = rest[0] == '<' && opens_tag(after) && !is_formatting(after);
    if (rest[0] == '[') images_.push_back(at_ > 0 && text_[at_ - 1] == '!');
    if (rest[0] == ']') {
      const bool image = !images_.empty() && images_.back();
      escape = after.starts_with(':') ||
               (after.starts_with('(') && !may_lead_to(after.substr(1), image));
      // One that is escaped ends nothing: the next one would end the image.
      if (!escape && !images_.empty()) images_.pop_back();
    }
    if (escape) {
      break_autolinks();
      out_ += '\\';
    }
    copy(1);
  }

  std::string_view text_;
  bool keep_code_;
  size_t at_ = 0;
  bool lone_backticks_ = false;
  std::vector<bool> images_;  ///< of each open bracket: whether an image's
  std::string out_;
};

}  // namespace

std::string harmless_markdown(std::string_view text) {
  Cleaner cleaner(text, true);
  std::string out = cleaner.run();
  return cleaner.lone_backticks() ? Cleaner(text, false).run() : out;
}

size_t formula_length(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  for (const auto& [open, close] : {std::pair{"\\(", "\\)"}, {"\\[", "\\]"}, {"$", "$"}}) {
    if (!line.starts_with(open)) continue;
    const size_t end = line.find(close, std::string_view(open).size());
    if (end == line.npos) return 0;
    const std::string_view formula = line.substr(0, end + std::string_view(close).size());
    // With these it reads otherwise to a renderer that knows no formulas.
    const bool ambiguous = formula.find('`') != formula.npos || formula.find("![") != formula.npos;
    return ambiguous ? 0 : formula.size();
  }
  return 0;
}

std::string harmless_latex(std::string_view latex) {
  std::string out;
  for (size_t i = 0; i < latex.size(); ++i) {
    const char c = latex[i];
    const bool line_end = c == '\n' || c == '\r';
    if (line_end && (out.empty() || out.back() == '\n')) continue;
    out += line_end ? '\n' : c;
    const std::string_view rest = latex.substr(i + 1);
    const bool link = c == ']' && (rest.starts_with('(') || rest.starts_with(':'));
    if (link || (c == '<' && opens_tag(rest))) out += ' ';
  }
  return out;
}

}  // namespace docspec
