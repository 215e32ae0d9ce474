#include "drafts/ocr/tesseract_drafter.h"

#include <allheaders.h>
#include <tesseract/baseapi.h>
#include <tesseract/resultiterator.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/error.h"
#include "core/base/no_teams.h"
#include "core/page/pix_ptr.h"
#include "drafts/lines/line_parts.h"
#include "drafts/ocr/line_regularity.h"
#include "drafts/ocr/ocr_words.h"
#include "drafts/text/region_text.h"

namespace docspec {
namespace {

/// 8-bit gray, as Tesseract wants it.
PixPtr to_gray(const PageImage& image) {
  PixPtr pix = gray_pixels(image);
  if (!pix) throw Error(ExitCode::out_of_memory, "OCR: no memory for the page; lower --dpi");
  return pix;
}

/// Paints ruling lines white: a block with rules in it reads as almost nothing (drafts.md 2).
void paint_out_rules(Pix* gray, double dpi) {
  constexpr int kDark = 190;
  const int long_px = int(dpi * 0.5), thick_px = std::max(3, int(dpi / 20));
  const PixPtr dark(pixThresholdToBinary(gray, kDark));
  if (!dark) return;
  for (const bool across : {true, false}) {
    const PixPtr runs(across ? pixOpenBrick(nullptr, dark.get(), long_px, 1)
                             : pixOpenBrick(nullptr, dark.get(), 1, long_px));
    // A run that is also thick is a bar or a picture, not a rule.
    const PixPtr bars(across ? pixOpenBrick(nullptr, runs.get(), 1, thick_px)
                             : pixOpenBrick(nullptr, runs.get(), thick_px, 1));
    const PixPtr rules(pixSubtract(nullptr, runs.get(), bars.get()));
    const PixPtr wider(rules ? pixDilateBrick(nullptr, rules.get(), 3, 3) : nullptr);
    if (wider) pixSetMasked(gray, wider.get(), 255);
  }
}

bool has_letter_or_digit(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return uint8_t(c) >= 0x80 || std::isalnum(uint8_t(c)); });
}

class TesseractDrafter : public Drafter {
 public:
  explicit TesseractDrafter(std::string languages) : languages_(std::move(languages)) {}
  std::string_view name() const override { return "tesseract"; }
  DrafterRole role() const override { return DrafterRole::raster; }

  std::vector<Box> text_lines(const PageInput& page) override {
    const NoTeams no_teams;
    prepare(page);
    engine_->SetPageSegMode(tesseract::PSM_AUTO);
    std::vector<Box> lines;
    const std::unique_ptr<tesseract::PageIterator> it(engine_->AnalyseLayout());
    if (!it) return lines;
    do {
      Box box;
      if (tesseract::PTIsTextType(it->BlockType()) &&
          it->BoundingBox(tesseract::RIL_TEXTLINE, &box.x0, &box.y0, &box.x1, &box.y1))
        lines.push_back(down(box));
    } while (it->Next(tesseract::RIL_TEXTLINE));
    return part_lines(*page.image, lines);
  }

  std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) override {
    const NoTeams no_teams;
    prepare(page);
    constexpr size_t kLeastWords = 10;  // to doubt a page for them: specks give some
    std::vector<Word> words;
    std::vector<size_t> lines;
    for (const Region& region : regions)
      if (region.kind != RegionKind::picture) read(region, page, words, lines);
    confidence_ = words.size() < kLeastWords ? 1 : mean_confidence(words);
    jitter_ = baseline_jitter(words, lines);
    mark_heavy(words, lines, *page.image);
    return region_drafts(regions, words, page.dpi, name());
  }

  std::string doubt() const override {
    constexpr double kPrint = 0.6;
    if (confidence_ < kPrint) return kIllegible;
    return jitter_ > kEvenLines ? kUneven : "";
  }

 private:
  /// Of the words by their lengths; 1 when there are none.
  static double mean_confidence(const std::vector<Word>& words) {
    double sum = 0, letters = 0;
    for (const Word& word : words) {
      sum += word.confidence * double(word.text.size());
      letters += double(word.text.size());
    }
    return letters > 0 ? sum / letters : 1;
  }

  /// Loads the engine once, and the page's image when it is another one.
  void prepare(const PageInput& page) {
    if (!page.image || page.image->empty())
      throw Error(ExitCode::internal, "OCR: page " + std::to_string(page.page) + " has no raster");
    if (!engine_) engine_ = load(languages_);
    constexpr double kLowDpi = 130;  // below it Tesseract reads a page enlarged twice far better
    scale_ = page.image->dpi() < kLowDpi ? 2 : 1;
    PixPtr gray = to_gray(*page.image);
    if (scale_ == 2) gray.reset(pixScale(gray.get(), 2, 2));
    const int dpi = int(std::lround(std::clamp(page.image->dpi() * scale_, 70.0, 2400.0)));
    paint_out_rules(gray.get(), dpi);
    engine_->SetImage(gray.get());
    engine_->SetSourceResolution(dpi);
  }

  static std::unique_ptr<tesseract::TessBaseAPI> start(const std::string& languages) {
    setMsgSeverity(L_SEVERITY_NONE);
    auto engine = std::make_unique<tesseract::TessBaseAPI>();
    engine->SetVariable("debug_file", "/dev/null");  // before Init, which complains too
    if (engine->Init(nullptr, languages.c_str(), tesseract::OEM_LSTM_ONLY) != 0) return nullptr;
    return engine;
  }

  static std::unique_ptr<tesseract::TessBaseAPI> load(const std::string& languages) {
    std::string missing, packages;
    for (size_t from = 0; from <= languages.size();) {
      const size_t to = std::min(languages.find('+', from), languages.size());
      const std::string language = languages.substr(from, to - from);
      from = to + 1;
      // Tesseract takes a list with a missing member silently: each is tried alone.
      if (languages.find('+') != languages.npos && start(language)) continue;
      if (languages.find('+') == languages.npos)
        if (auto engine = start(language)) return engine;
      std::string package = "tesseract-ocr-" + language;
      std::replace(package.begin(), package.end(), '_', '-');
      missing += (missing.empty() ? "" : ", ") + language;
      packages += " " + package;
    }
    auto engine = missing.empty() ? start(languages) : nullptr;
    if (engine) return engine;
    throw Error(ExitCode::dependency, "Tesseract has no language '" + missing +
                                          "'; install it (apt-get install" + packages +
                                          "), set TESSDATA_PREFIX, or pass another --lang");
  }

  Box down(const Box& box) const {
    return {box.x0 / scale_, box.y0 / scale_, (box.x1 + scale_ - 1) / scale_,
            (box.y1 + scale_ - 1) / scale_};
  }

  /// Appends the words of a region and the number of words of each line; those of an overlapping
  /// region are not read twice.
  void read(const Region& region, const PageInput& page, std::vector<Word>& words,
            std::vector<size_t>& lines) {
    const Box box = pad(region.box, int(page.dpi / 50), page.width_px, page.height_px);
    if (box.width() < 3 || box.height() < 3) return;
    const bool one_line =
        region.box.height() < 0.2 * page.dpi && region.box.width() > 3 * region.box.height();
    engine_->SetPageSegMode(one_line ? tesseract::PSM_SINGLE_LINE : tesseract::PSM_SINGLE_BLOCK);
    engine_->SetRectangle(box.x0 * scale_, box.y0 * scale_, box.width() * scale_,
                          box.height() * scale_);
    if (engine_->Recognize(nullptr) != 0) return;
    const std::unique_ptr<tesseract::ResultIterator> it(engine_->GetIterator());
    if (!it) return;
    const size_t before = words.size();
    std::vector<size_t> line_starts;
    int last_line = 0;
    do {
      Word word;
      const std::unique_ptr<char[]> text(it->GetUTF8Text(tesseract::RIL_WORD));
      if (!text || !it->BoundingBox(tesseract::RIL_WORD, &word.box.x0, &word.box.y0, &word.box.x1,
                                    &word.box.y1))
        continue;
      for (const char* c = text.get(); *c; ++c)
        if (uint8_t(*c) > 0x20) word.text += *c;
      word.confidence = it->Confidence(tesseract::RIL_WORD) / 100.0;
      constexpr double kNoise = 0.3;  // specks that were read as "|" or "~"
      if (word.text.empty() || (word.confidence < kNoise && !has_letter_or_digit(word.text)))
        continue;
      word.box = down(word.box);
      bool flag;
      int points = 0, font = 0;
      it->WordFontAttributes(&flag, &flag, &flag, &flag, &flag, &flag, &points, &font);
      word.font_size_pt = std::max(0, points);
      const bool known =
          std::any_of(words.begin(), words.begin() + std::ptrdiff_t(before),
                      [&](const Word& other) { return iou(other.box, word.box) > 0.4; });
      if (known) continue;
      const int baseline = line_of(*it);
      if (words.size() == before || baseline != last_line) {
        line_starts.push_back(words.size());
        lines.push_back(0);
      }
      last_line = baseline;
      ++lines.back();
      words.push_back(std::move(word));
    } while (it->Next(tesseract::RIL_WORD));
    close_cjk_gaps(words, line_starts);
    restore_bullets(words, line_starts);
    cut_grown_words(words, line_starts);
  }

  /// What tells a line of the block: its box's top.
  static int line_of(const tesseract::PageIterator& it) {
    Box box;
    it.BoundingBox(tesseract::RIL_TEXTLINE, &box.x0, &box.y0, &box.x1, &box.y1);
    return box.y0;
  }

  std::string languages_;
  std::unique_ptr<tesseract::TessBaseAPI> engine_;
  int scale_ = 1;          // OCR pixels a frame pixel
  double confidence_ = 1;  // of the last draft's words
  double jitter_ = 0;      // of its lines
};

}  // namespace

std::unique_ptr<Drafter> make_tesseract_drafter(std::string languages) {
  return std::make_unique<TesseractDrafter>(std::move(languages));
}

std::optional<PageScript> guess_script(const PageImage& page) {
  const NoTeams no_teams;
  setMsgSeverity(L_SEVERITY_NONE);
  tesseract::TessBaseAPI engine;
  engine.SetVariable("debug_file", "/dev/null");
  if (engine.Init(nullptr, "osd", tesseract::OEM_TESSERACT_ONLY) != 0) return std::nullopt;
  const PixPtr gray = to_gray(page);
  engine.SetPageSegMode(tesseract::PSM_OSD_ONLY);
  engine.SetImage(gray.get());
  engine.SetSourceResolution(int(std::lround(std::clamp(page.dpi(), 70.0, 2400.0))));
  int degrees = 0;
  float orientation = 0, confidence = 0;
  const char* script = nullptr;
  if (!engine.DetectOrientationScript(&degrees, &orientation, &script, &confidence) || !script)
    return std::nullopt;
  return PageScript{script, degrees == 0};
}

std::vector<std::string> tesseract_languages() {
  tesseract::TessBaseAPI engine;
  engine.SetVariable("debug_file", "/dev/null");
  std::vector<std::string> languages;
  if (engine.Init(nullptr, nullptr, tesseract::OEM_LSTM_ONLY) == 0)
    engine.GetAvailableLanguagesAsVector(&languages);
  return languages;
}

}  // namespace docspec
