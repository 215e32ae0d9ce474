#include "core/model/prompt_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/error.h"
#include "core/base/suggestion.h"

namespace docspec {
namespace {

using nlohmann::json;

const json& member(const json& object, const char* key, json::value_t type,
                   const std::string& file) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end() || found->type() != type)
    throw Error(ExitCode::dependency, file + ": key '" + key + "' is missing or of another type");
  return *found;
}

std::string text(const json& object, const char* key, const std::string& file) {
  return member(object, key, json::value_t::string, file).get<std::string>();
}

/// Throws for a key that is not in `known`: a typing error would go unseen.
void require_known(const json& object, std::span<const std::string_view> known,
                   const std::string& where) {
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw Error(ExitCode::dependency,
                  fmt::format("{} '{}' is unknown{}; there are: {}", where, key,
                              did_you_mean(key, known), fmt::join(known, ", ")));
}

constexpr std::string_view kStages[] = {"page", "text", "table", "formula", "layout", "pages"};
constexpr std::string_view kKeys[] = {"model_type",
                                      "recognise",
                                      "prompts",
                                      "image_token",
                                      "image",
                                      "chat",
                                      "stop",
                                      "dialect",
                                      "markup",
                                      "questions",
                                      "dpi",
                                      "longest_px",
                                      "min_pixels",
                                      "max_pixels",
                                      "layout_px",
                                      "page_tokens",
                                      "page_mark",
                                      "pages_no_repeat_ngram_window_size",
                                      "text_px",
                                      "even_light",
                                      "level_crops",
                                      "crop_lines",
                                      "visual_shares",
                                      "xdrope_halves",
                                      "card",
                                      "sources",
                                      "surety",
                                      "no_repeat_ngram_size",
                                      "no_repeat_ngram_window_size"};

Surety surety_of(const json& numbers, const std::string& where) {
  const auto number = [&](const char* key) {
    if (!numbers.is_object() || !numbers.contains(key) || !numbers[key].is_number())
      throw Error(ExitCode::dependency, where + ": " + key + " is not a number");
    return numbers[key].get<double>();
  };
  return {number("bias"), number("confidence"), number("margin"), number("lone")};
}

void replace(std::string& in, std::string_view mark, std::string_view by) {
  if (const size_t at = in.find(mark); at != std::string::npos) in.replace(at, mark.size(), by);
}

}  // namespace

PromptSet::PromptSet(const json& family, const json& model, const std::string& file) : file_(file) {
  json merged = family;
  if (model.is_object()) merged.merge_patch(model);
  require_known(merged, kKeys, file + ": key");
  image_token_ = text(merged, "image_token", file);
  chat_ = text(merged, "chat", file);
  image_ = text(merged, "image", file);
  dialect_ = text(merged, "dialect", file);
  const json& questions = member(merged, "questions", json::value_t::object, file);
  require_known(questions, kStages, file + ": questions: stage");
  for (const auto& [stage, question] : questions.items()) {
    if (!question.is_string())
      throw Error(ExitCode::dependency, file + ": questions: '" + stage + "' is not a string");
    questions_.emplace_back(stage, question.get<std::string>());
  }
  const auto tokens = [&](const char* key) {
    std::vector<std::string> out;
    for (const json& token : member(merged, key, json::value_t::array, file)) {
      if (!token.is_string())
        throw Error(ExitCode::dependency, file + ": " + key + ": not all strings");
      out.push_back(token.get<std::string>());
    }
    return out;
  };
  stop_ = tokens("stop");
  if (merged.contains("markup")) markup_ = tokens("markup");
  if (merged.contains("page_tokens"))
    page_tokens_ =
        member(merged, "page_tokens", json::value_t::number_unsigned, file).get<int64_t>();
  const auto size = [&](const char* key) {
    if (!merged.contains(key)) return 0.0;
    if (!merged[key].is_number() || !(merged[key].get<double>() > 0))
      throw Error(ExitCode::dependency, file + ": " + key + " is not a number above 0");
    return merged[key].get<double>();
  };
  text_px_ = size("text_px");
  longest_px_ = size("longest_px");
  if (merged.contains("dpi") && !(size("dpi") >= 20 && size("dpi") <= 1200))
    throw Error(ExitCode::dependency, file + ": dpi is not from 20 to 1200");
  const auto area = [&](const char* key) {
    if (!merged.contains(key)) return int64_t{0};
    if (const json& pixels = merged[key];
        !pixels.is_number_integer() || pixels < 1 || pixels > 1'000'000'000)
      throw Error(ExitCode::dependency,
                  fmt::format("{}: {} {} is not from 1 to 1000000000", file, key, pixels.dump()));
    return merged[key].get<int64_t>();
  };
  layout_px_ = int(size("layout_px"));
  if (asks("layout") != (layout_px_ > 0) || layout_px_ > 10000)
    throw Error(ExitCode::dependency,
                file + ": layout_px, up to 10000, belongs to a question 'layout'");
  min_pixels_ = area("min_pixels");
  max_pixels_ = area("max_pixels");
  if (max_pixels_ > 0 && max_pixels_ < min_pixels_)
    throw Error(ExitCode::dependency, file + ": max_pixels is below min_pixels");
  const auto whole = [&](const char* key) {
    if (!merged.contains(key)) return int64_t{0};
    return member(merged, key, json::value_t::number_unsigned, file).get<int64_t>();
  };
  no_repeat_ngram_size_ = whole("no_repeat_ngram_size");
  no_repeat_ngram_window_size_ = whole("no_repeat_ngram_window_size");
  pages_no_repeat_ngram_window_size_ = whole("pages_no_repeat_ngram_window_size");
  if (merged.contains("page_mark")) page_mark_ = text(merged, "page_mark", file);
  if (asks("pages") == page_mark_.empty())
    throw Error(ExitCode::dependency, file + ": page_mark belongs to a question 'pages'");
  const auto flag = [&](const char* key) {
    return merged.contains(key) && member(merged, key, json::value_t::boolean, file).get<bool>();
  };
  even_light_ = flag("even_light");
  level_crops_ = flag("level_crops");
  if (merged.contains("crop_lines")) {
    crop_lines_ = member(merged, "crop_lines", json::value_t::number_unsigned, file).get<size_t>();
    if (crop_lines_ == 0) throw Error(ExitCode::dependency, file + ": crop_lines is 0");
  }
  if (merged.contains("visual_shares"))
    for (const json& share : member(merged, "visual_shares", json::value_t::array, file)) {
      if (!share.is_number())
        throw Error(ExitCode::dependency, file + ": visual_shares: not all numbers");
      visual_shares_.push_back(share.get<double>());
    }
  if (merged.contains("surety"))
    for (const auto& [ocr, numbers] : member(merged, "surety", json::value_t::object, file).items())
      surety_[ocr] = surety_of(numbers, file + ": surety: " + ocr);
  for (const char* mark : {"{image}", "{question}"})
    if (chat_.find(mark) == std::string::npos)
      throw Error(ExitCode::dependency, file + ": chat lacks " + mark);
  if (image_.find(image_token_) == std::string::npos)
    throw Error(ExitCode::dependency, file + ": image lacks the image_token " + image_token_);
}

std::string PromptSet::chat(bool with_image, std::string_view question) const {
  const size_t image_at = chat_.find("{image}"), question_at = chat_.find("{question}");
  std::string out = chat_;
  // The later mark first, so that marks inside the question stay as they are.
  const auto put_image = [&] { replace(out, "{image}", with_image ? image_ : ""); };
  if (image_at > question_at) put_image();
  replace(out, "{question}", question);
  if (image_at < question_at) put_image();
  return out;
}

bool PromptSet::asks(std::string_view stage) const {
  return std::any_of(questions_.begin(), questions_.end(),
                     [&](const auto& entry) { return entry.first == stage; });
}

const std::string& PromptSet::question(std::string_view stage) const {
  for (const auto& [name, text] : questions_)
    if (name == stage) return text;
  throw Error(ExitCode::dependency, file_ + ": questions: no '" + std::string(stage) + "'");
}

}  // namespace docspec
