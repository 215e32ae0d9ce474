#include "core/letters/reconcile.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/letters/block_letters.h"
#include "core/letters/page_words.h"
#include "core/letters/word_alignment.h"
#include "core/letters/word_check.h"

namespace docspec {
namespace {

/// Words of a page that OCR reads again, at 2.5 ms each.
constexpr size_t kSample = 24, kMostChecked = 48;
/// Without OCR a layer is believed where the model has written this share of its words.
constexpr double kLeastAgreement = 0.5;

Box to_box(const PointBox& box, double dpi) {
  const auto px = [dpi](double pt) { return int(std::lround(pt * dpi / 72)); };
  return {px(box.x0), px(box.y0), px(box.x1), px(box.y1)};
}

/// The letters of one page on their way.
class Reconciler {
 public:
  Reconciler(LetterRule rule, const PageSources& sources, Page& page)
      : rule_(rule),
        sources_(sources),
        page_(page),
        words_(page_words(sources.layer, sources.image)) {
    for (Block& block : page.blocks) blocks_.emplace_back(block);
  }

  void run() {
    if (words_.empty()) return;
    align_boxed();
    align_rest();
    find_differences();
    decide();
    for (BlockLetters& block : blocks_) block.apply(WordSource::document, 72 / sources_.dpi);
  }

 private:
  /// Whether the markup says where the block stands, rather than the page as its box.
  bool boxed(const BlockLetters& block) const {
    const PointBox& box = block.block().box_pt;
    const double area = (box.x1 - box.x0) * (box.y1 - box.y0);
    return area > 0 && (page_.blocks.size() == 1 || area < 0.9 * page_.width_pt * page_.height_pt);
  }

  /// What is wrong with most of the words; "" if that is fewer than half.
  static std::string doubt_of(const std::vector<PageToken>& tokens) {
    size_t doubtful = 0;
    std::string why;
    for (const PageToken& token : tokens)
      if (!token.doubt.empty() && ++doubtful > 0) why = token.doubt;
    return 2 * doubtful > tokens.size() ? why : "";
  }

  /// Each block against the words in its box and a line around it.
  void align_boxed() {
    const int margin = int(sources_.dpi / 6);
    for (BlockLetters& block : blocks_) {
      if (!boxed(block) || block.words().empty()) continue;
      const Box box = to_box(block.block().box_pt, sources_.dpi);
      auto tokens = tokens_in(words_, box, margin);
      block.drop_mark(tokens);
      if (const std::string why = doubt_of(tokens); !why.empty()) {
        block.set_unknown(why);
        continue;
      }
      auto matches = align(block.aligned(), tokens);
      block.set_page(std::move(tokens), std::move(matches), box);
    }
  }

  /// Blocks without boxes are one sequence of words against all that the page has.
  void align_rest() {
    std::vector<AlignedWord> all;
    std::vector<std::pair<BlockLetters*, size_t>> parts;  // with their first word
    for (BlockLetters& block : blocks_) {
      if (boxed(block) || block.words().empty()) continue;
      parts.emplace_back(&block, all.size());
      const auto own = block.aligned();
      all.insert(all.end(), own.begin(), own.end());
    }
    if (parts.empty()) return;
    const std::vector<PageToken> tokens = all_tokens(words_);
    if (const std::string why = doubt_of(tokens); !why.empty()) {
      for (const auto& [block, from] : parts) block->set_unknown(why);
      return;
    }
    const std::vector<WordMatch> matches = align(all, tokens);
    for (size_t i = 0; i < parts.size(); ++i) {
      const size_t from = parts[i].second,
                   to = i + 1 < parts.size() ? parts[i + 1].second : all.size();
      give_part(*parts[i].first, from, to, tokens, matches);
    }
  }

  /// The matches of words [from, to), and the tokens between the first and the last of them.
  static void give_part(BlockLetters& block, size_t from, size_t to,
                        const std::vector<PageToken>& tokens,
                        const std::vector<WordMatch>& matches) {
    size_t first = matches.size(), last = 0;
    for (size_t i = 0; i < matches.size(); ++i) {
      const WordMatch& match = matches[i];
      if (match.a1 == match.a0 || match.a0 < from || match.a1 > to) continue;
      first = std::min(first, i);
      last = i + 1;
    }
    if (first >= last) return;
    const size_t b0 = matches[first].b0, b1 = matches[last - 1].b1;
    std::vector<WordMatch> own(matches.begin() + ptrdiff_t(first),
                               matches.begin() + ptrdiff_t(last));
    for (WordMatch& match : own) {
      match.a0 -= from, match.a1 -= from;
      match.b0 -= b0, match.b1 -= b0;
    }
    block.set_page({tokens.begin() + ptrdiff_t(b0), tokens.begin() + ptrdiff_t(b1)}, std::move(own),
                   {});
  }

  static std::vector<WordMatch> align(const std::vector<AlignedWord>& model,
                                      const std::vector<PageToken>& tokens) {
    std::vector<AlignedWord> page;
    page.reserve(tokens.size());
    for (const PageToken& token : tokens) page.push_back(token.aligned);
    return align_words(model, page);
  }

  void find_differences() {
    std::vector<char> claimed(words_.size(), 0);
    for (const BlockLetters& block : blocks_) block.claim(claimed);
    claim_of_others(claimed);
    for (BlockLetters& block : blocks_) block.find_differences(claimed, sources_.image);
  }

  /// Words in pictures and formulas are theirs.
  void claim_of_others(std::vector<char>& claimed) const {
    for (const Block& block : page_.blocks) {
      if (block.kind != RegionKind::picture && block.kind != RegionKind::formula) continue;
      for (const PageToken& token : tokens_in(words_, to_box(block.box_pt, sources_.dpi), 0))
        for (const int word : token.words) claimed[size_t(word)] = 1;
    }
  }

  std::vector<Difference*> differences() {
    std::vector<Difference*> out;
    for (BlockLetters& block : blocks_)
      for (Difference& difference : block.differences()) out.push_back(&difference);
    return out;
  }

  /// Share of the blocks' words that the page has just so.
  double agreement() const {
    size_t words = 0, equal = 0;
    for (const BlockLetters& block : blocks_) {
      if (block.tokens().empty()) continue;
      words += block.words().size();
      equal += block.equal_words();
    }
    return words == 0 ? 0 : double(equal) / double(words);
  }

  /// Numbers first, then an even sample of the others.
  std::vector<Difference*> to_check(const std::vector<Difference*>& all) const {
    std::vector<Difference*> numbers, others, out;
    for (Difference* difference : all)
      if (difference->b1 > difference->b0 && difference->doubt.empty())
        (difference->number ? numbers : others).push_back(difference);
    const auto take = [&](const std::vector<Difference*>& from, size_t most) {
      const size_t count = std::min(from.size(), most);
      for (size_t i = 0; i < count; ++i) out.push_back(from[i * from.size() / count]);
    };
    take(numbers, kMostChecked - kSample);
    take(others, kSample);
    return out;
  }

  struct Checked {
    Difference* difference;
    Verdict verdict;
  };

  std::vector<Checked> check(const std::vector<Difference*>& chosen) const {
    std::vector<Checked> out;
    if (!sources_.ocr || !sources_.image || chosen.empty()) return out;
    std::vector<Box> boxes;
    for (const Difference* difference : chosen) boxes.push_back(difference->box);
    const std::vector<std::string> seen = read_boxes(*sources_.ocr, *sources_.image, boxes);
    for (size_t i = 0; i < seen.size(); ++i)
      out.push_back(
          {chosen[i], verdict(seen[i], chosen[i]->page, chosen[i]->model, chosen[i]->number)});
    return out;
  }

  void decide() {
    const std::vector<Difference*> all = differences();
    if (rule_ == LetterRule::document) return decide_all(all, true, "");
    if (!sources_.layer_trusted) return decide_all(all, false, "the page's layer is not trusted");
    const std::vector<Checked> checked = check(to_check(all));
    size_t page = 0, model = 0, unlike = 0;
    for (const Checked& one : checked) {
      page += one.verdict == Verdict::page;
      model += one.verdict == Verdict::model;
      unlike += one.verdict == Verdict::unlike;
    }
    const bool known = page + model + unlike > 0;
    const bool believed = known ? model == 0 && 4 * unlike <= page : agreement() >= kLeastAgreement;
    decide_all(all, believed,
               known ? "OCR contradicts this page's layer" : "the layer says something else");
    for (const Checked& one : checked) {
      Difference& difference = *one.difference;
      if (one.verdict == Verdict::none) {
        difference.doubtful = difference.number && !difference.accepted;
        continue;
      }
      difference.accepted = one.verdict == Verdict::page;
      difference.why = difference.accepted ? "OCR confirms it" : "OCR does not";
    }
  }

  static void decide_all(const std::vector<Difference*>& all, bool believed,
                         const std::string& why) {
    for (Difference* difference : all) {
      const bool page = difference->b1 > difference->b0, model = difference->a1 > difference->a0;
      difference->accepted = false;
      if (!difference->doubt.empty())
        difference->why = difference->doubt;
      else if (!believed)
        difference->why = why;
      else if (difference->blanks)
        difference->why = "only the blanks differ";
      else if (!page && difference->room)
        difference->why = "not in the text layer";
      else {
        difference->accepted = true;
        difference->why = !page    ? "no room for it on the page"
                          : !model ? "the model left it out"
                                   : "";
      }
    }
  }

  LetterRule rule_;
  const PageSources& sources_;
  Page& page_;
  std::vector<PageWord> words_;
  std::vector<BlockLetters> blocks_;
};

}  // namespace

LetterRule letter_rule(std::string_view name) {
  if (name == "auto") return LetterRule::automatic;
  return name == "model" ? LetterRule::model : LetterRule::document;
}

void reconcile(LetterRule rule, const PageSources& sources, Page& page) {
  if (rule == LetterRule::model || sources.layer.empty()) return;
  Reconciler(rule, sources, page).run();
}

LetterCounts& LetterCounts::operator+=(const LetterCounts& more) {
  words += more.words;
  replaced += more.replaced;
  inserted += more.inserted;
  removed += more.removed;
  unfounded += more.unfounded;
  refused += more.refused;
  doubtful += more.doubtful;
  return *this;
}

LetterCounts count_letters(const Page& page) {
  LetterCounts out;
  for (const Block& block : page.blocks)
    for (const WordReading& word : block.words) {
      out.words += size_t(word.count);
      if (!word.differs()) continue;
      const std::string& other = word.ocr ? *word.ocr : word.document.value_or("");
      if (word.doubtful) ++out.doubtful;
      if (word.source == WordSource::model)
        ++(other.empty() ? out.unfounded : out.refused);
      else
        ++(other.empty() ? out.removed : word.model->empty() ? out.inserted : out.replaced);
    }
  return out;
}

}  // namespace docspec
