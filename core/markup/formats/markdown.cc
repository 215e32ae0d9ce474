#include "core/markup/formats/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/markup/base/table.h"
#include "core/markup/formats/harmless_markdown.h"
#include "core/markup/formats/markdown_inline.h"
#include "core/markup/formats/markdown_parser.h"
#include "core/markup/formats/marked_markdown.h"
#include "core/text/trim.h"

namespace docspec {
namespace {

/// The marks of a plain text that are written. Models are shown formulas alone: few write others.
std::vector<TextMark> marks_of(const Block& block, bool marked) {
  std::vector<TextMark> marks = block.marks;
  if (!marked)
    std::erase_if(marks, [](auto& mark) { return mark.kind != TextMark::Kind::formula; });
  return marks;
}

/// `marked`: with all marks of a plain text.
std::string inline_text(const Block& block, bool marked = false) {
  if (block.markdown_text) return harmless_markdown(block.text);
  if (const auto marks = marks_of(block, marked);
      !marks.empty() && block.text.find("\n\n") == block.text.npos)
    return marked_markdown(block.text, marks, block.kind == RegionKind::footnote);
  std::string text;
  for (char c : block.text)  // an empty line would end the block
    if (c != '\n' || (!text.empty() && text.back() != '\n')) text += c;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const size_t line = text.find('\n');
  if (line != text.npos && number_mark(std::string_view(text).substr(0, line)) == line - 1)
    text[line] = ' ';  // an item without a text would end here
  return escape_markdown(text);
}

/// A comment may hold anything but its own end.
std::string comment(std::string text) {
  for (size_t at = 0; (at = text.find("--", at)) != std::string::npos;) text.replace(at, 2, "- -");
  return "<!-- " + one_line(text) + " -->";
}

std::string fenced(const std::string& code) {
  size_t longest = 0;
  for (size_t i = 0, run = 0; i < code.size(); ++i) {
    run = code[i] == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<size_t>(3, longest + 1), '`');
  return fence + "\n" + code + "\n" + fence;
}

std::string table_markdown(const Block& block) {
  if (!block.html) return inline_text(block);
  const auto table = parse_html_table(*block.html);
  if (!table) return inline_text(block);
  return render_table(*table, escape_cell);
}

std::string list_item(const Block& block, bool with_marks) {
  std::string text = inline_text(block, with_marks);
  const bool marked = block.markdown_text && (text.starts_with("- ") || text.starts_with("* "));
  if (number_mark(text) == std::string::npos && !marked) text = "- " + text;
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 3)
    if (!block.markdown_text) text.replace(at, 1, "\n  ");
  return text;
}

std::string heading(const Block& block, int level) {
  std::string text = one_line(block.text);
  const auto marks = marks_of(block, false);
  const bool formulas = !marks.empty() && text.size() == block.text.size();
  text = block.markdown_text ? harmless_markdown(text)
         : formulas          ? marked_markdown(text, marks, false)
                             : escape_heading(text);
  if (block.markdown_text && text.starts_with("#")) return text;
  return std::string(size_t(std::clamp(level, 1, 6)), '#') + " " + text;
}

/// A relative path as the target of a link: all that Markdown could read otherwise is encoded.
std::string link_target(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c & 0x80) || std::isalnum(static_cast<unsigned char>(c)) ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string picture(const Block& block) {
  const std::string text = block.text.empty() ? "" : inline_text(block);
  if (!block.figure) return text;
  const std::string image = "![](" + link_target(*block.figure) + ")";
  return text.empty() ? image : image + "\n\n" + text;
}

std::string block_markdown(const Block& block, bool marked = false) {
  switch (block.kind) {
    case RegionKind::title:
      return heading(block, block.level.value_or(1));
    case RegionKind::section_header:
      return heading(block, block.level.value_or(2));
    case RegionKind::list_item:
      return list_item(block, marked);
    case RegionKind::table:
      return table_markdown(block);
    case RegionKind::formula:
      return block.latex ? "$$\n" + harmless_latex(*block.latex) + "\n$$" : picture(block);
    case RegionKind::picture:
      return picture(block);
    case RegionKind::code:
      return block.text.empty() ? "" : fenced(block.text);
    default:
      return inline_text(block, marked);
  }
}

bool is_header(const Block& block) {
  return block.kind == RegionKind::page_header || block.kind == RegionKind::page_footer;
}

/// Lines that a reader should see as lines: Markdown joins those that do not end with two blanks.
std::string with_line_breaks(std::string text) {
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 3)
    text.insert(at, "  ");
  return text;
}

std::string document_block(const Block& block, const RenderOptions& options) {
  if (!is_header(block) || options.headers == HeaderPolicy::keep) {
    std::string text = block_markdown(block, true);
    return block.kind == RegionKind::text && !block.markdown_text
               ? with_line_breaks(std::move(text))
               : text;
  }
  if (options.headers == HeaderPolicy::drop || block.text.empty()) return "";
  return comment((block.kind == RegionKind::page_header ? "header: " : "footer: ") + block.text);
}

/// Appends blocks; list items of one list stand on neighbouring lines, those of a nested list below
/// the text of the item that they are nested in.
class Writer {
 public:
  std::pair<size_t, size_t> append(std::string text, bool item, int depth = 0) {
    const size_t level =
        item && last_item_ ? std::min(size_t(std::max(depth, 0)), lists_.size()) : 0;
    const bool opens = level == lists_.size();
    lists_.resize(level + 1);
    item &= keep_number(text, lists_[level]);
    // Below a line of text a numbered list may begin with "1." and a text alone.
    const bool loose = item && level > 0 && opens && lists_[level].kind &&
                       (lists_[level].number != 1 || text.size() < 3);
    if (!out_.empty()) out_ += item && last_item_ && !loose ? "\n" : "\n\n";
    last_item_ = item;
    if (item) {
      const size_t indent = level > 0 ? lists_[level - 1].text_column : 0;
      lists_[level].text_column =
          indent + (lists_[level].kind ? text.find(lists_[level].kind) + 2 : 2);
      out_.append(indent, ' ');
      for (size_t at = 0; (at = text.find('\n', at)) != text.npos; at += indent + 1)
        text.insert(at + 1, indent, ' ');
    }
    const size_t from = out_.size();
    out_ += text;
    return {from, out_.size()};
  }
  std::string take() {
    if (!out_.empty()) out_ += '\n';
    return std::move(out_);
  }

 private:
  /// A list whose last item may be followed.
  struct List {
    size_t text_column = 0;  // of the last item
    int number = 0;          // of the last item, where the list is numbered
    char kind = '\0';        // its '.' or ')'
  };

  /// Markdown counts the items of one list itself: a number that does not go on is escaped, and its
  /// text is no item. Returns whether it may be one.
  static bool keep_number(std::string& text, List& list) {
    const size_t mark = number_mark(std::string_view(text).substr(0, text.find('\n')));
    const bool numbered = mark != std::string_view::npos;
    const int number = numbered ? std::stoi(text.substr(0, mark)) : 0;
    const char kind = numbered ? text[mark] : '\0';
    const bool breaks = numbered && kind == list.kind && number != list.number + 1;
    if (breaks) text.insert(mark, "\\");
    list.number = number;
    list.kind = breaks ? '\0' : kind;
    return !breaks;
  }

  std::string out_;
  std::vector<List> lists_;  // open ones, the outermost first; of a text, as if it were an item
  bool last_item_ = false;
};

class MarkdownDialect : public Dialect {
 public:
  std::string render_block(const Block& block, const PageFrame&) const override {
    return block_markdown(block);
  }
  std::string render_page(const std::vector<Block>& blocks, const PageFrame&) const override {
    Writer writer;
    for (const Block& block : blocks) {
      const std::string text = block_markdown(block);
      if (!text.empty()) writer.append(text, block.kind == RegionKind::list_item);
    }
    return writer.take();
  }
  std::vector<Block> parse_page(std::string_view text, const PageFrame&) const override {
    auto pages = parse_markdown(text);
    std::vector<Block> blocks;
    for (Page& page : pages)
      for (Block& block : page.blocks) {
        block.id = block.order = int(blocks.size());
        blocks.push_back(std::move(block));
      }
    return blocks;
  }
};

class MarkdownFormat : public OutputFormat {
 public:
  std::string render(const Document& document, const RenderOptions& options) const override {
    return render_markdown(document, options, nullptr);
  }
  Document parse(std::string_view text) const override {
    Document document;
    document.pages = parse_markdown(text);
    return document;
  }
};

}  // namespace

std::string render_markdown(const Document& document, const RenderOptions& options,
                            Document* located) {
  Writer writer;
  if (located) *located = document;
  for (size_t p = 0; p < document.pages.size(); ++p) {
    const Page& page = document.pages[p];
    if (options.page_marks) writer.append(fmt::format("<!-- page {} -->", page.page), false);
    if (page.status != PageStatus::ok)
      writer.append(
          comment(fmt::format("page {}: {} ({}): {}", page.page, name(page.status),
                              name(page.level), page.failure ? page.failure->message : "")),
          false);
    for (size_t b = 0; b < page.blocks.size(); ++b) {
      const Block& block = page.blocks[b];
      const std::string text = document_block(block, options);
      if (text.empty()) continue;
      const auto range = writer.append(text, block.kind == RegionKind::list_item, block.depth);
      if (located) located->pages[p].blocks[b].markdown_range = range;
    }
  }
  return writer.take();
}

std::unique_ptr<Dialect> make_markdown_dialect() {
  return std::make_unique<MarkdownDialect>();
}
std::unique_ptr<OutputFormat> make_markdown_format() {
  return std::make_unique<MarkdownFormat>();
}

}  // namespace docspec
