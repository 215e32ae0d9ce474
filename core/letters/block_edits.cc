// What is written into a block, and what is said of it.
#include <algorithm>
#include <map>
#include <utility>

#include "core/document/page_blocks.h"
#include "core/letters/block_letters.h"
#include "core/markup/formats/markdown_inline.h"
#include "core/text/unicode.h"

namespace docspec {

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void append_word(std::string& text, const std::string& word) {
  if (!text.empty()) text += ' ';
  text += word;
}

std::string BlockLetters::escaped(const std::string& letters) const {
  return block_->markdown_text && !table_ ? escape_heading(letters) : letters;
}

void BlockLetters::edits_of(const Difference& difference, std::vector<Edit>& edits) {
  const size_t count = difference.a1 - difference.a0;
  const auto& texts = difference.texts;
  if (count == 0) {
    std::string text;
    for (const std::string& word : texts) append_word(text, escaped(word));
    if (difference.cell != SIZE_MAX && pieces_[difference.cell].count == 0) {
      edits.push_back({difference.cell, 0, text_of(pieces_[difference.cell]).size(), text});
      return;
    }
    if (difference.cell != SIZE_MAX) {
      const bool after = difference.a0 > 0 && piece_of(difference.a0 - 1) == difference.cell;
      const size_t at = after ? words_[difference.a0 - 1].to : words_[difference.a0].from;
      edits.push_back({difference.cell, at, at, after ? " " + text : text + " "});
      return;
    }
    const bool after =
        difference.a0 > 0 &&
        (difference.a0 >= words_.size() || piece_of(difference.a0 - 1) == piece_of(difference.a0));
    const size_t next = after ? difference.a0 - 1 : difference.a0;
    const size_t at = after ? words_[next].to : words_[next].from;
    edits.push_back({piece_of(next), at, at, after ? " " + text : text + " "});
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const MarkedWord& word = words_[difference.a0 + i];
    const size_t piece = piece_of(difference.a0 + i);
    if (i < texts.size()) {
      std::string text = escaped(texts[i]);
      if (i + 1 == count)
        for (size_t k = count; k < texts.size(); ++k) append_word(text, escaped(texts[k]));
      edits.push_back({piece, word.from, word.to, text});
    } else {
      edits.push_back({piece, word.from, word.to, ""});
    }
  }
}

WordReading BlockLetters::reading_of(const Difference& difference, WordSource source,
                                     double to_points) const {
  WordReading out;
  out.source = difference.accepted ? source : WordSource::model;
  out.model = difference.model;
  (source == WordSource::ocr ? out.ocr : out.document) = difference.page;
  if (difference.accepted) {
    for (const std::string& word : difference.texts) append_word(out.text, word);
    out.count = int(difference.texts.size());
  } else {
    out.text = difference.model;
    out.count = int(difference.a1 - difference.a0);
  }
  out.why = difference.why;
  out.doubtful = difference.doubtful;
  const Box& box = difference.box;
  out.box_pt = {box.x0 * to_points, box.y0 * to_points, box.x1 * to_points, box.y1 * to_points};
  return out;
}

WordReading BlockLetters::taken_out(WordSource source) const {
  WordReading out;
  out.source = source;
  out.count = 0;
  out.model.emplace();
  for (const MarkedWord& word : words_) append_word(*out.model, word.letters);
  (source == WordSource::ocr ? out.ocr : out.document) = "";
  out.why = "another block has these words";
  out.box_pt = block_->box_pt;
  return out;
}

/// Of a block that is a draft: whose it is.
void BlockLetters::apply_draft() {
  if (words_.empty() || block_->source == "replay") return;
  WordReading all;
  all.source = block_->source == "text-layer" ? WordSource::document : WordSource::ocr;
  all.count = int(words_.size());
  block_->words = {all};
}

void BlockLetters::take_draft(const Draft& draft, const std::string& why) {
  WordReading reading;
  reading.source = WordSource::ocr;
  reading.why = why;
  reading.model.emplace();
  for (const MarkedWord& word : words_) append_word(*reading.model, word.letters);
  std::map<std::string, double> confidence;  // of words with a digit, the least
  for (const Word& word : draft.words) {
    const auto known = confidence.try_emplace(word.text, word.confidence).first;
    known->second = std::min(known->second, word.confidence);
  }
  block_->source = draft.source;
  block_->markdown_text = false;
  block_->html.reset();
  take_text(*block_, draft);
  if (const auto table = parse_html_table(block_->text);
      table && block_->kind == RegionKind::table) {
    block_->html = render_html_table(*table);
    block_->text = table_words(*table);
    block_->marks.clear();
  }
  // Numbers of which OCR is not sure stand alone, with their mark.
  constexpr double kSure = 0.9;
  const auto begin = [&](bool doubtful) {
    if (!block_->words.empty() && !doubtful && !block_->words.back().doubtful) return;
    block_->words.push_back(reading);
    WordReading& next = block_->words.back();
    next.count = 0;
    next.doubtful = doubtful;
    next.ocr.emplace();
    reading.model = "";
  };
  block_->words.clear();
  for (const MarkedWord& word : plain_words(block_->text)) {
    const auto known = confidence.find(word.letters);
    begin(has_digit(word.letters) && known != confidence.end() && known->second < kSure);
    WordReading& last = block_->words.back();
    ++last.count;
    append_word(last.text, word.letters);
    last.ocr = last.text;
  }
  taken_ = true;
}

void BlockLetters::apply(WordSource source, double to_points) {
  if (taken_) return;
  if (!from_model()) return apply_draft();
  std::vector<char> confirmed(words_.size(), 0);
  std::vector<Edit> edits;
  for (const WordMatch& match : matches_) {
    if (!match.equal()) continue;
    confirmed[match.a0] = 1;
    // Quotes and dashes are the page's; ligatures and superscripts stay as the model wrote them.
    const MarkedWord& word = words_[match.a0];
    const PageToken& token = tokens_[match.b0];
    const bool one = match.b1 == match.b0 + 1 && !word.fixed && token.doubt.empty();
    if (one && source == WordSource::document &&
        normalize_unicode(repair_utf8(word.letters), NormalForm::nfkc) !=
            normalize_unicode(repair_utf8(token.text), NormalForm::nfkc))
      edits.push_back({piece_of(match.a0), word.from, word.to, escaped(token.text)});
  }
  std::vector<WordReading> readings;
  size_t next = mark_goes_ ? skipped_ : 0;
  const auto run_to = [&](size_t end) {
    for (; next < end; ++next) {
      // Words of a scan on which both agree are the model's.
      const bool document = confirmed[next] && source == WordSource::document;
      const WordSource own = document ? source : WordSource::model;
      if (readings.empty() || readings.back().differs() || readings.back().source != own) {
        readings.emplace_back();
        readings.back().source = own;
        readings.back().count = 0;
        readings.back().why = why_;
      }
      ++readings.back().count;
    }
  };
  for (const Difference& difference : differences_) {
    run_to(difference.a0);
    readings.push_back(reading_of(difference, source, to_points));
    next = std::max(next, difference.a1);
    if (difference.accepted) edits_of(difference, edits);
  }
  run_to(words_.size());
  block_->words = std::move(readings);

  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return std::pair(a.piece, a.from) > std::pair(b.piece, b.from);
  });
  for (const Edit& edit : edits) {
    std::string& text = text_of(pieces_[edit.piece]);
    size_t from = edit.from;
    if (edit.text.empty())  // with the blanks before it
      while (from > 0 && text[from - 1] == ' ') --from;
    text.replace(from, edit.to - from, edit.text);
    if (edit.text.empty() && from == 0)
      text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  }
  if (mark_goes_) block_->text.erase(0, words_[skipped_].from);
  if (table_ && !edits.empty()) {
    block_->html = render_html_table(*table_);
    if (!block_->text.empty()) block_->text = table_words(*table_);
  }
}

}  // namespace docspec
