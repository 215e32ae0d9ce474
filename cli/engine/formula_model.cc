#include "cli/engine/formula_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/engine/formula_views.h"
#include "cli/flags/share.h"
#include "core/decode/registry.h"
#include "core/markup/registry.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/families/registry.h"
#include "core/model/prompt_set.h"
#include "core/ops/ops.h"
#include "core/read/stage.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"
#include "drafts/ocr/ppocr/one_thread.h"

namespace docspec {
namespace {

constexpr int64_t kMostTokens = 512;
constexpr size_t kMostTogether = 16;  // formulas in one forward

/// A command of LaTeX that is one token: a backslash and letters.
bool is_command(std::string_view piece) {
  return piece.size() > 1 && piece[0] == '\\' &&
         std::all_of(piece.begin() + 1, piece.end(), is_ascii_letter);
}

/// Commands that begin with one that is a token: "\\simeq" is written as "\\sim", "eq".
constexpr std::string_view kLonger[] = {"\\approxeq",
                                        "\\cosh",
                                        "\\coth",
                                        "\\ddots",
                                        "\\doteq",
                                        "\\dots",
                                        "\\geqslant",
                                        "\\ggg",
                                        "\\inf",
                                        "\\leqslant",
                                        "\\leftarrow",
                                        "\\leftrightarrow",
                                        "\\liminf",
                                        "\\limsup",
                                        "\\llbracket",
                                        "\\lll",
                                        "\\lnot",
                                        "\\mapsfrom",
                                        "\\overset",
                                        "\\rightarrow",
                                        "\\rightharpoonup",
                                        "\\rightleftharpoons",
                                        "\\simeq",
                                        "\\subseteq",
                                        "\\subsetneq",
                                        "\\supseteq",
                                        "\\top",
                                        "\\trianglelefteq",
                                        "\\triangleleft",
                                        "\\triangleright"};

/// The text of a formula's tokens. The model may leave out the blank between a command and a
/// letter.
std::string latex_of(const Tokenizer& tokenizer, std::span<const int32_t> ids) {
  std::vector<std::string> pieces;
  for (const int32_t& id : ids) pieces.push_back(tokenizer.decode(std::span(&id, 1), true));
  std::string out;
  for (size_t i = 0; i < pieces.size(); ++i) {
    out += pieces[i];
    if (!is_command(pieces[i])) continue;
    std::string command = pieces[i];
    for (size_t next = i + 1; next < pieces.size(); ++next) {
      const auto end = std::find_if_not(pieces[next].begin(), pieces[next].end(), is_ascii_letter);
      command.append(pieces[next].begin(), end);
      if (end != pieces[next].end()) break;
    }
    const bool longer = std::any_of(std::begin(kLonger), std::end(kLonger), [&](auto name) {
      return command.starts_with(name) && name.size() > pieces[i].size() &&
             name.starts_with(pieces[i]);
    });
    if (!longer && i + 1 < pieces.size() && !pieces[i + 1].empty() &&
        is_ascii_letter(uint8_t(pieces[i + 1][0])))
      out += ' ';
  }
  return out;
}

double least(std::span<const float> margins) {
  return margins.empty() ? 0 : *std::min_element(margins.begin(), margins.end());
}

/// The words and formulas of a line's tokens; `margins`: of each.
std::vector<ReadPart> parts_of(const Tokenizer& tokenizer, std::span<const int32_t> ids,
                               std::span<const float> margins) {
  std::vector<ReadPart> parts;
  std::optional<size_t> begin;  // of a formula's tokens
  bool blank = true;
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string piece = tokenizer.decode(ids.subspan(i, 1), true);
    if (piece == "\\)") {
      if (begin && *begin < i)
        parts.push_back({latex_of(tokenizer, ids.subspan(*begin, i - *begin)), true, blank,
                         least(margins.subspan(*begin, i - *begin))});
      begin.reset();
      blank = false;
    } else if (piece == "\\(") {
      begin = i + 1;
    } else if (!begin) {
      for (const char c : piece) {
        if (is_space(c)) {
          blank = true;
          continue;
        }
        if (blank || parts.empty() || parts.back().formula)
          parts.push_back({"", false, blank, double(margins[i])});
        parts.back().text += c;
        parts.back().least_margin = std::min(parts.back().least_margin, double(margins[i]));
        blank = false;
      }
    }
  }
  return parts;
}

class FormulaModel : public FormulaReader {
 public:
  FormulaModel(const Checkpoint& checkpoint, const std::filesystem::path& share)
      : ops_(make_cpu_ops()),
        vlm_(load_vlm(checkpoint, VlmOptions{"f32", "cpu", share}, *ops_)),
        dialect_(make_dialect(vlm_.prompts().dialect())),
        verifier_(make_verifier(parse_spec("--verify", "exact", forms(verifiers())))),
        engine_{vlm_,
                *ops_,
                *dialect_,
                *verifier_,
                {},
                read_generation(checkpoint.json("generation_config.json"), vlm_.prompts(),
                                vlm_.tokenizer(), kMostTokens),
                {}} {
    engine_.decode.max_batch = kMostTogether;
  }

  std::vector<ReadFormula> read(const PageImage& page, std::span<const Box> boxes,
                                double em_px) const override {
    std::vector<ReadFormula> out(boxes.size());
    decode(RegionKind::formula, page, boxes, em_px, [&](size_t box, const Job& job) {
      const auto margins = job.margins();
      const auto unsure =
          std::count_if(margins.begin(), margins.end(), [](float margin) { return margin < 0.5; });
      out[box] = {latex_of(vlm_.tokenizer(), job.output()), least(margins),
                  double(unsure) / double(margins.size())};
    });
    return out;
  }

  std::vector<std::vector<ReadPart>> read_lines(const PageImage& page, std::span<const Box> boxes,
                                                double em_px) const override {
    std::vector<std::vector<ReadPart>> out(boxes.size());
    decode(RegionKind::text, page, boxes, em_px, [&](size_t box, const Job& job) {
      out[box] = parts_of(vlm_.tokenizer(), job.output(), job.margins());
    });
    return out;
  }

 private:
  /// Asks the question for regions of this kind at each box, and calls `take` with the boxes whose
  /// decode came to an end.
  template <class Take>
  void decode(RegionKind kind, const PageImage& page, std::span<const Box> boxes, double em_px,
              const Take& take) const {
    const OneThread one_thread;  // other pages are drafted on the other cores
    std::vector<Region> regions;
    std::vector<Draft> drafts;
    for (const Box& box : boxes) {
      const int id = int(regions.size());
      regions.push_back({id, id, kind, box, 1});
      drafts.push_back({id, "formula", "?", 1, {}});  // a region without text is not read
    }
    StageInput input{&page, regions, drafts};
    input.em_px = em_px;
    const StageResult result = run_stage(Stage::region, engine_, input);
    for (size_t i = 0; i < result.jobs.size(); ++i)
      if (const Job& job = result.jobs[i]; job.end() == JobEnd::stop && !job.margins().empty())
        take(size_t(*result.drafts[i].region), job);
  }

  std::unique_ptr<Ops> ops_;
  Vlm vlm_;
  std::unique_ptr<Dialect> dialect_;
  std::unique_ptr<Verifier> verifier_;
  StageEngine engine_;
};

}  // namespace

std::unique_ptr<FormulaReader> make_formula_reader(const std::filesystem::path& folder) {
  return std::make_unique<FormulaViews>(
      std::make_unique<FormulaModel>(Checkpoint(folder), share_folder().value_or("")));
}

}  // namespace docspec
