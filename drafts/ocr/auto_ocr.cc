#include "drafts/ocr/auto_ocr.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "drafts/grid/cell_text.h"
#include "drafts/ocr/ocr_words.h"
#include "drafts/ocr/ppocr_drafter.h"
#include "drafts/ocr/tesseract_drafter.h"
#include "drafts/text/text_trust.h"

namespace docspec {
namespace {

/// A script by the name that Tesseract's detection gives it, and Tesseract's languages for it, the
/// most usual one first: its package is the one to install.
struct Script {
  std::string_view name, languages;
  bool ppocr = false;  ///< PP-OCR reads it
};

constexpr Script kScripts[] = {
    {"Latin",
     "eng deu fra spa ita por nld pol ces dan fin swe nor hun ron tur hrv slk slv cat lat est lav "
     "lit ind",
     true},
    {"Fraktur", "frk"},
    {"Han", "chi_sim chi_tra", true},
    {"Japanese", "jpn", true},
    {"Katakana", "jpn", true},
    {"Hiragana", "jpn", true},
    {"Korean", "kor"},
    {"Hangul", "kor"},
    {"Cyrillic", "rus ukr bul srp bel mkd"},
    {"Greek", "ell grc"},
    {"Arabic", "ara fas urd"},
    {"Hebrew", "heb yid"},
    {"Thai", "tha"},
    {"Devanagari", "hin mar nep san"},
    {"Bengali", "ben asm"},
    {"Tamil", "tam"},
    {"Telugu", "tel"},
    {"Kannada", "kan"},
    {"Malayalam", "mal"},
    {"Gujarati", "guj"},
    {"Gurmukhi", "pan"},
    {"Georgian", "kat"},
    {"Armenian", "hye"},
    {"Ethiopic", "amh"},
    {"Khmer", "khm"},
    {"Lao", "lao"},
    {"Myanmar", "mya"},
    {"Sinhala", "sin"},
    {"Tibetan", "bod"},
    {"Cherokee", "chr"},
};

std::vector<std::string> words_of(std::string_view text, char separator) {
  std::vector<std::string> out;
  std::istringstream in{std::string(text)};
  for (std::string word; std::getline(in, word, separator);) out.push_back(word);
  return out;
}

bool has(const std::vector<std::string>& list, const std::string& what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

const Script* script_called(std::string_view name) {
  const auto it = std::find_if(std::begin(kScripts), std::end(kScripts),
                               [&](const Script& script) { return script.name == name; });
  return it == std::end(kScripts) ? nullptr : it;
}

bool ppocr_reads(const std::string& language) {
  return std::any_of(std::begin(kScripts), std::end(kScripts), [&](const Script& script) {
    return script.ppocr && has(words_of(script.languages, ' '), language);
  });
}

class AutoOcr : public Drafter {
 public:
  AutoOcr(std::string languages, ppocr::OpenReader ppocr) : wanted_(languages) {
    if (ppocr) ppocr_ = std::make_unique<PpOcrDrafter>(std::move(ppocr));
    if (languages == "auto") return;
    const std::vector<std::string> wanted = words_of(languages, '+');
    fixed_ = true;
    engine_ = ppocr_ && std::all_of(wanted.begin(), wanted.end(), ppocr_reads)
                  ? ppocr_.get()
                  : tesseract(languages);
  }

  DrafterRole role() const override { return DrafterRole::raster; }
  std::string_view name() const override {
    if (engine_) return engine_->name();
    return ppocr_ ? "ppocr" : "tesseract";
  }

  std::vector<Box> text_lines(const PageInput& page) override {
    begin(page);
    return engine_ ? engine_->text_lines(page) : std::vector<Box>();
  }

  std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) override {
    if (doubt_.empty()) begin(page);
    last_doubt_ = doubt_;
    std::vector<Draft> drafts;
    // An engine doubts what it read last: to compare engines, they read some lines again.
    const auto read = [&] {
      drafts = engine_->draft(page, regions);
      last_doubt_ = engine_->doubt();
    };
    if (engine_) read();
    // The engine of the page before may not be that of this one.
    if (engine_ && !fixed_ && !chosen_here_ && !last_doubt_.empty()) {
      const Drafter* const before = engine_;
      choose(page);
      if (!engine_) drafts.clear(), last_doubt_ = doubt_;
      if (engine_ && engine_ != before) read();
    }
    // PP-OCR has some letters of Greek, so that a few lines may look legible.
    if (engine_ && !fixed_ && engine_ == ppocr_.get() && last_doubt_ == kIllegible)
      if (Drafter* const other = find_reader(page, nullptr)) {
        engine_ = other;
        read();
      }
    chosen_here_ = false;
    doubt_.clear();
    return drafts;
  }

  std::string doubt() const override { return last_doubt_; }

 private:
  /// Chooses an engine for the first page. Tesseract's Latin languages are tried before the script
  /// is looked for: they are sure of 0.95 of Latin print and of 0.4 of other scripts, and script
  /// detection takes some Latin pages for others.
  void begin(const PageInput& page) {
    if (ppocr_ && !ppocr_->can_run()) {
      engine_ = fixed_ ? tesseract(wanted_) : nullptr;
      ppocr_.reset();
    }
    if (engine_) return;
    const std::string latin = ppocr_ ? "" : installed(kScripts[0]);
    chosen_here_ = latin.empty();
    if (latin.empty())
      choose(page);
    else
      engine_ = tesseract(latin);
  }

  Drafter* tesseract(const std::string& languages) {
    auto& engine = tesseracts_[languages];
    if (!engine) engine = make_tesseract_drafter(languages);
    return engine.get();
  }

  /// Installed languages of a script, as Tesseract takes them; each costs time.
  std::string installed(const Script& script) {
    constexpr int kMost = 3;
    if (languages_.empty()) languages_ = tesseract_languages();
    std::string out;
    int count = 0;
    for (const std::string& language : words_of(script.languages, ' '))
      if (has(languages_, language) && count++ < kMost) out += (out.empty() ? "" : "+") + language;
    return out;
  }

  /// Tesseract for the script, or for another one in whose languages it is sure of the page: script
  /// detection takes Korean for Bengali. nullptr if there is neither.
  Drafter* find_reader(const PageInput& page, const Script* guessed) {
    constexpr double kSure = 0.75;  // of 0.9 in the right language and 0.4 in others
    const std::string first = guessed ? installed(*guessed) : "";
    double best = first.empty() ? 0 : mean_confidence(*tesseract(first), page);
    if (best >= kSure) return tesseract(first);
    Drafter* found = first.empty() ? nullptr : tesseract(first);
    std::string tried = " " + first + " ";
    for (const Script& script : kScripts) {
      const std::string languages = script.ppocr && ppocr_ ? "" : installed(script);
      if (languages.empty() || tried.find(" " + languages + " ") != tried.npos) continue;
      tried += languages + " ";
      const double sure = mean_confidence(*tesseract(languages), page);
      if (sure < kSure || sure <= best) continue;
      best = sure;
      found = tesseract(languages);
    }
    return found;
  }

  /// Of an engine in the words of some long lines, by their letters.
  double mean_confidence(Drafter& engine, const PageInput& page) {
    constexpr size_t kLines = 5;
    std::vector<Box> lines = ppocr_ ? ppocr_->text_lines(page) : engine.text_lines(page);
    std::stable_sort(lines.begin(), lines.end(),
                     [](const Box& a, const Box& b) { return a.width() > b.width(); });
    lines.resize(std::min(kLines, lines.size()));
    double sum = 0, letters = 0;
    for (const Word& word : read_lines(engine, page, lines)) {
      sum += word.confidence * double(word.text.size());
      letters += double(word.text.size());
    }
    return letters > 0 ? sum / letters : 0;
  }

  /// Whether PP-OCR, unsure as it may be of worn print, reads many long Latin words in lines from
  /// all over the page. Script detection takes newspapers for Arabic and receipts for Cyrillic; of
  /// Arabic PP-OCR reads few letters.
  bool reads_latin(const PageInput& page, const std::vector<Box>& lines) {
    constexpr size_t kLines = 24, kLong = 3, kLetters = 100;
    std::vector<Box> some;
    for (size_t i = 0; i < lines.size(); i += std::max<size_t>(1, lines.size() / kLines))
      some.push_back(lines[i]);
    PageInput given = page;
    given.lines = some;
    const std::vector<Word> words = read_lines(*ppocr_, given, some);
    size_t latin = 0, marks = 0;
    for (const Word& word : words) {
      size_t letters = 0;
      for (const char c : word.text) {
        letters += std::isalpha(uint8_t(c)) ? 1 : 0;
        marks += std::isdigit(uint8_t(c)) || std::ispunct(uint8_t(c)) ? 1 : 0;
      }
      if (letters >= kLong) latin += letters;
    }
    return latin >= kLetters && latin * 4 >= (count_letters(words) - marks) * 3 &&
           is_readable(words);
  }

  /// Sets the engine for a page, or none and doubt_.
  void choose(const PageInput& page) {
    constexpr double kReads = 0.85;
    engine_ = nullptr;
    doubt_.clear();
    if (ppocr_) {
      const std::vector<Box> lines = ppocr_->text_lines(page);
      if (ppocr_->legibility(page) >= kReads || reads_latin(page, lines)) {
        engine_ = ppocr_.get();
        return;
      }
    }
    const std::string name = guess_script(*page.image).value_or(PageScript{"Latin"}).name;
    const Script* const script = script_called(name);
    if (script && script->ppocr && ppocr_) {
      engine_ = ppocr_.get();  // its own doubt tells
      return;
    }
    if ((engine_ = find_reader(page, script))) return;
    const std::string language = script ? words_of(script->languages, ' ').front() : "";
    std::string package = "tesseract-ocr-" + language;
    std::replace(package.begin(), package.end(), '_', '-');
    doubt_ = "the page seems to be in " + name + " script, which no installed OCR reads; " +
             (language.empty() ? "pass its language with --lang" : "apt-get install " + package);
  }

  const std::string wanted_;  // languages, or "auto"
  std::unique_ptr<PpOcrDrafter> ppocr_;
  std::map<std::string, std::unique_ptr<Drafter>> tesseracts_;  // by their languages
  std::vector<std::string> languages_;                          // installed ones
  Drafter* engine_ = nullptr;  // of the last page: the next one is most likely in its script
  bool fixed_ = false;         // the languages decide
  bool chosen_here_ = false;   // the engine was chosen for this page
  std::string doubt_, last_doubt_;
};

}  // namespace

std::unique_ptr<Drafter> make_auto_ocr(std::string languages, ppocr::OpenReader ppocr) {
  return std::make_unique<AutoOcr>(std::move(languages), std::move(ppocr));
}

}  // namespace docspec
