#include "core/read/page_answers.h"

#include <algorithm>

#include "core/text/tokenizer.h"

namespace docspec {
namespace {

/// A decoded answer, and where each of its tokens begins in it.
struct DecodedAnswer {
  DecodedAnswer(const Tokenizer& tokenizer, std::span<const int32_t> ids) {
    StreamDecoder decoder(tokenizer);
    for (const int32_t id : ids) {
      tokens.push_back(text.size());
      text += decoder.push(id);
    }
    text += decoder.flush();
  }

  /// The first token that begins at `at` or after it.
  size_t token_at(size_t at) const {
    return size_t(std::lower_bound(tokens.begin(), tokens.end(), at) - tokens.begin());
  }

  std::string text;
  std::vector<size_t> tokens;
};

struct TextRange {
  size_t begin = 0, end = 0;
};

/// Where the pages stand in the text, at most `pages` of them; a mark belongs to none.
std::vector<TextRange> page_ranges(std::string_view text, std::string_view mark, size_t pages) {
  std::vector<size_t> marks;
  for (size_t at = 0; (at = text.find(mark, at)) != text.npos; at += mark.size())
    marks.push_back(at);
  std::vector<TextRange> out;
  const size_t first = marks.empty() ? text.size() : marks[0];
  const bool begins_unmarked = text.substr(0, first).find_first_not_of(" \t\r\n") != text.npos;
  if (begins_unmarked && marks.size() < pages) out.push_back({0, 0});
  for (const size_t at : marks) {
    if (out.size() == pages) break;
    if (!out.empty()) out.back().end = at;
    out.push_back({out.empty() ? 0 : at + mark.size(), 0});
  }
  if (!out.empty()) out.back().end = text.size();
  return out;
}

std::string without(std::string text, std::string_view mark) {
  for (size_t at = 0; (at = text.find(mark, at)) != text.npos;) text.erase(at, mark.size());
  return text;
}

}  // namespace

std::vector<PageAnswer> divide_answer(const Tokenizer& tokenizer, std::span<const int32_t> answer,
                                      std::string_view mark, size_t pages, bool ended) {
  const DecodedAnswer decoded(tokenizer, answer);
  const std::vector<TextRange> ranges = page_ranges(decoded.text, mark, pages);
  std::vector<PageAnswer> out(pages);
  for (size_t i = 0; i < pages; ++i) {
    out[i].complete = ended || i + 1 < ranges.size();
    if (i >= ranges.size()) continue;
    const auto [begin, end] = ranges[i];
    out[i].text = without(decoded.text.substr(begin, end - begin), mark);
    out[i].begin = decoded.token_at(begin);
    out[i].end = std::max(out[i].begin, decoded.token_at(end));
  }
  return out;
}

}  // namespace docspec
