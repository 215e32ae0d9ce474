#include "core/text/tokenizer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/text/added_tokens.h"
#include "core/text/bpe.h"
#include "core/text/pre_tokenizer.h"
#include "core/text/text_normalizer.h"
#include "core/text/token_decoder.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

using nlohmann::json;

json parse_object(std::string_view text, const std::string& where) {
  json root = parse_json(text, where);
  if (!root.is_object()) throw Error(ExitCode::dependency, where + ": not a JSON object");
  return root;
}

// An id above this cannot belong to a real vocabulary and would only ask for memory.
constexpr int32_t kMaxId = 1 << 21;

}  // namespace

struct Tokenizer::Impl {
  Impl(const json& root, const std::string& where)
      : normalizer(root.value("normalizer", json()), where + ": normalizer"),
        pre_tokenizer(root.value("pre_tokenizer", json()), where + ": pre_tokenizer"),
        bpe(json_member(root, "model", where), pre_tokenizer.byte_level(), where + ": model"),
        added(root.value("added_tokens", json()), normalizer, where + ": added_tokens"),
        decoder(root.value("decoder", json()), pre_tokenizer.byte_level(), where + ": decoder") {
    for (const auto& [token, id] : bpe.vocab()) set(id, token, where);
    // The reference keeps a normalized token in its normalized form, also for decoding.
    for (const AddedToken& token : added.all())
      set(token.id, token.normalized ? normalizer.apply(token.content) : token.content, where);
    special.resize(bytes.size());
    for (const AddedToken& token : added.all())
      if (token.special) special[size_t(token.id)] = true;
  }
  void set(int32_t id, const std::string& token, const std::string& where) {
    if (id >= kMaxId)
      throw Error(ExitCode::dependency,
                  where + ": token '" + token + "' has the impossible id " + std::to_string(id));
    if (size_t(id) >= bytes.size()) bytes.resize(size_t(id) + 1);
    bytes[size_t(id)] = decoder.bytes_of(token);
  }
  void encode_plain(std::string_view text, bool at_start, std::vector<int32_t>& out) const {
    for (const std::string_view piece : pre_tokenizer.split(text, at_start).views)
      bpe.encode(piece, out);
  }

  TextNormalizer normalizer;
  PreTokenizer pre_tokenizer;
  Bpe bpe;
  AddedTokens added;
  TokenDecoder decoder;
  std::vector<std::string> bytes;  // id -> what it stands for
  std::vector<bool> special;
};

Tokenizer Tokenizer::load(const std::filesystem::path& file) {
  return Tokenizer(read_file(file), file.string());
}

Tokenizer::Tokenizer(std::string_view text, const std::string& where)
    : impl_(std::make_unique<Impl>(parse_object(text, where), where)) {}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

std::vector<int32_t> Tokenizer::encode(std::string_view raw, bool parse_special) const {
  const std::string text = repair_utf8(raw);
  std::vector<int32_t> out;
  out.reserve(text.size() / 3);
  for (const TokenSpan& outer : impl_->added.split(text, /*normalized=*/false, parse_special)) {
    if (outer.id) {
      out.push_back(*outer.id);
      continue;
    }
    const std::string part =
        impl_->normalizer.apply(std::string_view(text).substr(outer.from, outer.to - outer.from));
    for (const TokenSpan& inner : impl_->added.split(part, /*normalized=*/true, parse_special)) {
      if (inner.id)
        out.push_back(*inner.id);
      else
        impl_->encode_plain(std::string_view(part).substr(inner.from, inner.to - inner.from),
                            outer.from == 0 && inner.from == 0, out);
    }
  }
  return out;
}

std::string Tokenizer::decode(std::span<const int32_t> ids, bool skip_special) const {
  StreamDecoder stream(*this, skip_special);
  std::string out;
  for (const int32_t id : ids) out += stream.push(id);
  return out + stream.flush();
}

std::string_view Tokenizer::bytes_of(int32_t id) const {
  return id < 0 || id >= vocab_size() ? std::string_view() : impl_->bytes[size_t(id)];
}

size_t Tokenizer::strip_left() const {
  return impl_->decoder.strip_left();
}

std::optional<int32_t> Tokenizer::id_of(std::string_view token) const {
  for (const AddedToken& added : impl_->added.all())
    if (added.content == token) return added.id;
  const auto found = impl_->bpe.vocab().find(token);
  return found == impl_->bpe.vocab().end() ? std::nullopt : std::optional(found->second);
}

int32_t Tokenizer::vocab_size() const {
  return int32_t(impl_->bytes.size());
}

void Tokenizer::make_text(std::string_view token) {
  const auto id = id_of(token);
  if (!id) return;
  impl_->added.make_text(*id);
  impl_->special[size_t(*id)] = false;
}

bool Tokenizer::is_special(int32_t id) const {
  return id >= 0 && id < vocab_size() && impl_->special[size_t(id)];
}

StreamDecoder::StreamDecoder(const Tokenizer& tokenizer, bool skip_special)
    : tokenizer_(&tokenizer), skip_special_(skip_special), strip_(tokenizer.strip_left()) {}

std::string StreamDecoder::push(int32_t id) {
  if (skip_special_ && tokenizer_->is_special(id)) return "";
  held_ += tokenizer_->bytes_of(id);
  return take(held_.size() - incomplete_tail(held_));
}

std::string StreamDecoder::flush() {
  std::string out = take(held_.size());
  strip_ = tokenizer_->strip_left();
  return out;
}

std::string StreamDecoder::take(size_t bytes) {
  std::string out = repair_utf8(std::string_view(held_).substr(0, bytes));
  held_.erase(0, bytes);
  const size_t blanks = std::min({strip_, out.size(), out.find_first_not_of(' ')});
  strip_ = !out.empty() && blanks < out.size() ? 0 : strip_ - blanks;
  return out.erase(0, blanks);
}

}  // namespace docspec
