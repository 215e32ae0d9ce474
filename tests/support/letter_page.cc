#include "tests/support/letter_page.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace docspec::test {
namespace {

constexpr double kDpi = 144;  // two pixels a point

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

}  // namespace

size_t LetterPage::add_block(RegionKind kind, const std::string& text) {
  constexpr int kLeft = 100, kRight = 1100, kLetter = 12, kHeight = 24, kLine = 30;
  page.width_pt = 612;
  page.height_pt = 792;
  Block block;
  block.kind = kind;
  block.text = text;
  const int top = y_;
  int x = kLeft;
  for (const std::string& word : words_of(text)) {
    const int width = kLetter * int(word.size());
    if (x + width > kRight) x = kLeft, y_ += kLine;
    layer.push_back({word, {x, y_, x + width, y_ + kHeight}});
    x += width + kLetter;
  }
  y_ += kLine;
  block.box_pt = {kLeft / 2.0, top / 2.0, kRight / 2.0, (y_ - kLine + kHeight) / 2.0};
  y_ += kLine;
  block.id = block.order = int(page.blocks.size());
  page.blocks.push_back(block);
  return page.blocks.size() - 1;
}

std::string LetterPage::text() const {
  std::string out;
  for (const Block& block : page.blocks) out += (out.empty() ? "" : "\n") + block.text;
  return out;
}

void LetterPage::paint() {
  image.emplace(1, 1224, std::max(1584, y_), kDpi);
  for (size_t i = 0; i < layer.size(); ++i) {
    const Box& box = layer[i].box;
    for (int y = box.y0 + 4; y < box.y1 - 4; ++y)
      for (int x = box.x0; x < box.x1; x += 3) {
        uint8_t* rgb = image->row(y) + size_t(x) * 3;
        rgb[0] = uint8_t(i % 64), rgb[1] = uint8_t(i / 64), rgb[2] = 0;
      }
  }
}

void LetterPage::reconcile(LetterRule rule) {
  docspec::reconcile(rule, {kDpi, layer, trusted, image ? &*image : nullptr, ocr}, page);
}

std::vector<Draft> TruthOcr::draft(const PageInput& page, const std::vector<Region>& regions) {
  std::vector<Draft> out;
  for (const Region& region : regions) {
    std::map<size_t, int> columns;  // word -> painted columns in the box
    for (int y = region.box.y0; y < region.box.y1; ++y) {
      std::map<size_t, int> here;
      for (int x = region.box.x0; x < region.box.x1; ++x) {
        const uint8_t* rgb = page.image->row(y) + size_t(x) * 3;
        const size_t word = size_t(rgb[1]) * 64 + rgb[0];
        if (rgb[2] == 0 && word < words_.size()) ++here[word];
      }
      for (const auto& [word, count] : here) columns[word] = std::max(columns[word], count);
    }
    Draft draft{region.id, "tesseract", "", 1, {}};
    for (const auto& [word, count] : columns) {
      if (6 * count < words_[word].box.width()) continue;
      const std::string& text = words_[word].text;
      draft.text += (draft.text.empty() ? "" : " ") +
                    (std::bernoulli_distribution(errors_)(rng_) ? "x" + text : text);
    }
    ++asked;
    out.push_back(std::move(draft));
  }
  return out;
}

std::string with_token_errors(const std::string& text, double rate, std::mt19937& rng) {
  std::vector<std::string> tokens;  // each with the blank before it
  for (const std::string& word : words_of(text))
    for (size_t at = 0; at < word.size(); at += 4)
      tokens.push_back((at == 0 && !tokens.empty() ? " " : "") + word.substr(at, 4));
  std::bernoulli_distribution wrong(rate);
  std::string out;
  for (const std::string& token : tokens) {
    if (!wrong(rng)) {
      out += token;
      continue;
    }
    switch (rng() % 4) {
      case 0:
        break;  // left out
      case 1:
        out += token + token;
        break;
      default:
        out += tokens[rng() % tokens.size()];
    }
  }
  return out;
}

namespace {

/// Words left over on either side of a longest common subsequence.
size_t differing(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<size_t> row(b.size() + 1, 0);
  for (const std::string& word : a) {
    size_t diagonal = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = word == b[j] ? diagonal + 1 : std::max(row[j], above);
      diagonal = above;
    }
  }
  return std::max(a.size(), b.size()) - row.back();
}

}  // namespace

size_t wrong_words(const std::string& truth, const std::string& text) {
  return differing(words_of(truth), words_of(text));
}

size_t wrong_numbers(const std::string& truth, const std::string& text) {
  const auto numbers = [](const std::string& from) {
    std::vector<std::string> out = words_of(from);
    std::erase_if(out, [](const std::string& word) {
      return word.find_first_of("0123456789") == std::string::npos;
    });
    return out;
  };
  return differing(numbers(truth), numbers(text));
}

std::string report_text(size_t words, std::mt19937& rng) {
  static const std::vector<std::string> kWords = words_of(
      "the harbour office asked for a survey of northern basin and its quay which is repaired in "
      "spring when water stands low revenue grew by against previous year while costs of energy "
      "fell each block weighs about tonnes was brought from quarry on far side bay walls are thick "
      "at base taper below gallery where iron railing still carries name foundry keeper trimmed "
      "wick every four hours through night clear evening beam could be seen distance nautical "
      "miles tickets cost children pay nothing bus runs every minutes visitors members "
      "depreciation "
      "amortisation liabilities equity statement auditor considered material misstatement");
  std::string out;
  for (size_t i = 0; i < words; ++i) {
    std::string word = kWords[rng() % kWords.size()];
    if (rng() % 9 == 0) word = std::to_string(rng() % 9000 + 10) + (rng() % 2 ? ".5" : "");
    if (rng() % 11 == 0) word += ",";
    out += (i ? " " : "") + word;
  }
  return out + ".";
}

}  // namespace docspec::test
