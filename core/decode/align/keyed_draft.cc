#include "core/decode/align/keyed_draft.h"

#include <algorithm>

#include "core/decode/align/overlap.h"
#include "core/decode/align/token_symbols.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

constexpr size_t kLongestWord = 48;  ///< most bytes that are tokenised again

constexpr std::string_view kBlanks = " \n\t\r";

bool is_blank(char c) {
  return kBlanks.find(c) != std::string_view::npos;
}

/// Number of tokens of `run` that `trail` already has: up to the end of the longest suffix of
/// `trail` that occurs in it. A trail without any such suffix stands in place of all of the run.
size_t said(std::span<const int32_t> run, std::span<const int32_t> trail) {
  if (trail.empty()) return 0;
  const Overlap place = overlap(run, trail);
  return place.same > 0 ? place.at : run.size();
}

}  // namespace

KeyedDraft::KeyedDraft(const DraftTokens& draft, const Tokenizer* tokenizer)
    : tokenizer_(tokenizer), source_(draft.source), ids_(draft.ids) {
  SymbolReader reader(tokenizer);
  BoxReader boxes;
  std::vector<Symbol> symbols;
  for (uint32_t token = 0; token < ids_.size(); ++token) {
    symbols.clear();
    reader.push(ids_[token], symbols);
    for (const Symbol& symbol : symbols) {
      symbols_.push_back(symbol.value);
      token_.push_back(token);
      byte_.push_back(symbol.byte);
    }
    if (!tokenizer || box_) continue;
    for (const char c : tokenizer->bytes_of(ids_[token])) {
      if (!boxes.push(c)) continue;
      box_ = boxes.box();
      after_box_ = uint32_t(symbols_.size());
    }
  }
}

bool KeyedDraft::between_tokens(uint32_t p) const {
  return p == 0 || p >= token_.size() || token_[p] != token_[p - 1];
}

uint32_t KeyedDraft::token_of(uint32_t p) const {
  return p < token_.size() ? token_[p] : uint32_t(ids_.size());
}

uint32_t KeyedDraft::token_after(uint32_t p) const {
  return p == 0 ? 0 : token_[p - 1] + 1;
}

/// Tokens of the rest of the word that contains symbol `p`; `next` becomes the first token after
/// them. A hyphen at the end of a line is dropped together with the line break.
std::vector<int32_t> KeyedDraft::rest_of_word(uint32_t p, uint32_t& next) const {
  next = token_[p];
  std::string word(tokenizer_->bytes_of(ids_[next]).substr(byte_[p]));
  for (++next; next < ids_.size() && word.size() < kLongestWord; ++next) {
    const std::string_view more = tokenizer_->bytes_of(ids_[next]);
    const bool line_end = !more.empty() && more[0] == '\n';
    if (line_end && word.size() > 1 && word.back() == '-') {
      word.pop_back();
      continue;
    }
    if (more.empty() || is_blank(more[0])) break;
    word += more;
  }
  return tokenizer_->encode(word, false);
}

std::vector<int32_t> KeyedDraft::rest(uint32_t p, std::span<const int32_t> trail,
                                      size_t most) const {
  std::vector<int32_t> out;
  uint32_t from = 0;
  if (between_tokens(p)) {
    const uint32_t first = token_after(p), word = token_of(p);
    from = first + uint32_t(said(ids().subspan(first, word - first), trail));
  } else {
    out = rest_of_word(p, from);
  }
  const size_t more = std::min(most - std::min(most, out.size()), ids_.size() - from);
  out.insert(out.end(), ids_.begin() + from, ids_.begin() + from + ptrdiff_t(more));
  return out;
}

std::vector<int32_t> KeyedDraft::other_blank(std::span<const int32_t> ids, bool after_blank) const {
  constexpr size_t kWord = 4;  // tokens looked at: the first word starts within them
  if (!tokenizer_ || ids.empty()) return {};
  std::string text;
  size_t taken = 0;
  for (; taken < std::min(kWord, ids.size()); ++taken) {
    const std::string_view bytes = tokenizer_->bytes_of(ids[taken]);
    const bool begun = text.find_first_not_of(kBlanks) != std::string::npos;
    if (begun && text != "-" && !bytes.empty() && is_blank(bytes[0])) break;
    text += bytes;
  }
  const bool hyphen = text.starts_with("-\n");  // it is dropped with the line break
  const size_t word = text.find_first_not_of(kBlanks, hyphen ? 1 : 0);
  if (word == std::string::npos) return {};
  const std::string had = text.substr(0, word);
  text.erase(0, word);
  if (after_blank && had.empty()) return {};
  if (!after_blank && had != " " && !hyphen) text.insert(0, 1, ' ');
  std::vector<int32_t> out = tokenizer_->encode(text, false);
  out.insert(out.end(), ids.begin() + ptrdiff_t(taken), ids.end());
  return out;
}

}  // namespace docspec
