#include "drafts/ocr/formulas/mend_latex.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

/// A command, a backslash with one sign, or a byte.
std::string_view next_token(std::string_view latex, size_t at) {
  if (latex[at] != '\\') return latex.substr(at, 1);
  size_t end = at + 1;
  while (end < latex.size() && is_ascii_letter(uint8_t(latex[end]))) ++end;
  return latex.substr(at, std::max(end - at, size_t{2}));
}

/// The name in braces right after a \begin or \end, with the braces; empty if there is none.
std::string_view name_after(std::string_view latex, size_t at) {
  if (at >= latex.size() || latex[at] != '{') return {};
  size_t end = at + 1;
  while (end < latex.size() && is_ascii_letter(uint8_t(latex[end]))) ++end;
  const bool named = end > at + 1 && end < latex.size() && latex[end] == '}';
  return named ? latex.substr(at, end + 1 - at) : std::string_view();
}

/// Whether what comes next may stand behind \left or \right.
bool is_delimiter(std::string_view latex, size_t at) {
  if (at >= latex.size()) return false;
  const std::string_view token = next_token(latex, at);
  if (token.size() == 1) return std::string_view("()[]|./<>").find(token[0]) != token.npos;
  constexpr std::string_view kNames[] = {"\\{",      "\\}",      "\\|",     "\\langle", "\\rangle",
                                         "\\lfloor", "\\rfloor", "\\lceil", "\\rceil",  "\\vert"};
  return std::find(std::begin(kNames), std::end(kNames), token) != std::end(kNames);
}

/// Writes LaTeX and knows what is open.
class LatexWriter {
 public:
  void open(std::string_view what) {
    open_.emplace_back(what);
    if (what == "left")
      out_ += "\\left";
    else if (what == "{")
      out_ += "{";
    else
      out_ += "\\begin" + std::string(what);
  }

  /// Closes `what`, and what was opened within it; nothing if it is not open.
  void close(std::string_view what) {
    const auto from = std::find(open_.rbegin(), open_.rend(), what);
    if (from == open_.rend()) return;
    while (open_.back() != what) close_last(true);
    close_last(false);
  }

  void close_all() {
    while (!open_.empty()) close_last(true);
  }

  /// Ends a cell, which closes its braces, or a row, which a brace may hold (\substack). A pair of
  /// brackets on both sides of the end becomes two.
  void end_cell(std::string_view by) {
    size_t brackets = 0;
    while (!open_.empty() && ((open_.back() == "{" && by == "&") || open_.back() == "left")) {
      brackets += open_.back() == "left";
      close_last(true);
    }
    write(by);
    for (; brackets > 0; --brackets) {
      open("left");
      write(".");
    }
  }

  /// The innermost environment; empty if there is none.
  std::string environment() const {
    const auto found = std::find_if(open_.rbegin(), open_.rend(), [](const std::string& what) {
      return what.size() > 1 && what.front() == '{';
    });
    return found == open_.rend() ? "" : *found;
  }

  bool is_open(std::string_view what) const {
    return std::find(open_.begin(), open_.end(), what) != open_.end();
  }
  void write(std::string_view text) { out_ += text; }
  std::string take() { return std::move(out_); }

 private:
  /// `made_up`: the text does not close it.
  void close_last(bool made_up) {
    const std::string what = std::move(open_.back());
    open_.pop_back();
    if (what == "left")
      out_ += made_up ? "\\right." : "\\right";
    else if (what == "{")
      out_ += "}";
    else
      out_ += "\\end" + what;
  }

  std::string out_;
  std::vector<std::string> open_;  ///< "{", "left", or an environment: "{aligned}"
};

/// LaTeX without an environment of rows around the whole that has one row: blanks part its cells.
std::string without_lone_row(std::string latex) {
  constexpr std::string_view kBegin = "\\begin{aligned}", kEnd = "\\end{aligned}";
  if (!latex.starts_with(kBegin) || !latex.ends_with(kEnd)) return latex;
  std::string row = latex.substr(kBegin.size(), latex.size() - kBegin.size() - kEnd.size());
  if (row.find("\\\\") != row.npos || row.find("\\begin") != row.npos) return latex;
  std::string out;
  for (size_t i = 0; i < row.size(); ++i) {
    const bool cell = row[i] == '&' && (i == 0 || row[i - 1] != '\\');
    if (!cell)
      out += row[i];
    else if (!out.empty() && i + 1 < row.size())
      out += out.back() == ',' ? "\\quad " : " ";
  }
  return out;
}

}  // namespace

std::string mend_latex(std::string_view latex) {
  LatexWriter writer;
  bool rows = false;  // outside an environment
  for (size_t at = 0; at < latex.size();) {
    const std::string_view token = next_token(latex, at);
    at += token.size();
    if (token == "\\") break;  // a backslash at the end
    if (token == "{") {
      writer.open("{");
    } else if (token == "}") {
      writer.close("{");
    } else if (token == "\\left" || token == "\\right") {
      if (!is_delimiter(latex, at)) continue;
      if (token == "\\left")
        writer.open("left");
      else
        writer.close("left");
    } else if (token == "\\begin" || token == "\\end") {
      const std::string_view name = name_after(latex, at);
      at += name.size();
      if (name.empty()) continue;
      // An environment that ends by another name ends.
      if (token == "\\begin")
        writer.open(name);
      else
        writer.close(writer.is_open(name) ? std::string(name) : writer.environment());
    } else if (token == "&" || token == "\\\\") {
      rows |= writer.environment().empty() && (token == "&" || !writer.is_open("{"));
      writer.end_cell(token);
    } else if (token != "\\(" && token != "\\)") {  // of a formula within text
      writer.write(token);
    }
  }
  writer.close_all();
  std::string out = writer.take();
  return without_lone_row(rows ? "\\begin{aligned}" + out + "\\end{aligned}" : out);
}

std::string mend_lookalikes(std::string_view latex, std::string_view seen) {
  constexpr std::pair<std::string_view, char> kAlike[] = {
      {"\\Lambda", 'A'}, {"\\chi", 'x'}, {"\\kappa", 'k'}, {"\\nu", 'v'}};
  constexpr std::string_view kBefore = "+-=<>({[^_", kAfter = "+-=<>)}]^_";
  constexpr std::string_view kJunk[] = {"\\cdots", "\\ldots", "*", ",", ".", ":", " "};
  std::vector<std::string> tokens;
  for (size_t at = 0; at < latex.size(); at += tokens.back().size())
    tokens.emplace_back(next_token(latex, at));
  const auto junk = [&](const std::string& token) {
    return std::find(std::begin(kJunk), std::end(kJunk), token) != std::end(kJunk);
  };
  while (!tokens.empty() && junk(tokens.front())) tokens.erase(tokens.begin());
  while (!tokens.empty() && junk(tokens.back())) tokens.pop_back();
  std::string out;
  for (size_t i = 0; i < tokens.size(); ++i) {
    std::string token = tokens[i];
    for (const auto& [name, letter] : kAlike)
      if (token == name && seen.find(letter) != seen.npos) token = letter;
    const auto is_sign = [&](size_t k, std::string_view signs) {
      return k >= tokens.size() || signs.find(tokens[k][0]) != signs.npos;
    };
    if (token == "\\times" && (is_sign(i - 1, kBefore) || is_sign(i + 1, kAfter))) token = "x";
    append_latex(out, token);
  }
  return out;
}

}  // namespace docspec
