#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

class Tokenizer;

/// The part of one page in the answer to a prompt of several pages.
struct PageAnswer {
  std::string text;
  size_t begin = 0, end = 0;  ///< its tokens in the answer
  bool complete = false;      ///< the next page follows, or the answer has ended
};

/// Divides an answer in which `mark` stands before each page: the n-th mark begins the n-th page,
/// as Unlimited-OCR's infer_multi takes it. Text before the first mark belongs to the first page;
/// it is that page if there are fewer marks than pages. Further marks are dropped: their text
/// belongs to the last page. Pages that the answer lacks have no text. `pages`: at least 1.
/// `ended`: the answer was not cut off.
std::vector<PageAnswer> divide_answer(const Tokenizer& tokenizer, std::span<const int32_t> answer,
                                      std::string_view mark, size_t pages, bool ended);

}  // namespace docspec
