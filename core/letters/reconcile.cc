#include "core/letters/reconcile.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "core/letters/block_letters.h"
#include "core/letters/layer_check.h"
#include "core/letters/ocr_check.h"
#include "core/letters/picture_boxes.h"
#include "core/letters/words/page_words.h"
#include "core/letters/words/word_alignment.h"

namespace docspec {
namespace {

Box to_box(const PointBox& box, double dpi) {
  const auto px = [dpi](double pt) { return int(std::lround(pt * dpi / 72)); };
  return {px(box.x0), px(box.y0), px(box.x1), px(box.y1)};
}

bool is_ocr(const Draft& draft) {
  return draft.source == "tesseract" || draft.source == "ppocr";
}

/// The OCR engine whose words are compared; "" = those of the text layer are.
std::string ocr_name(LetterRule rule, const PageSources& sources) {
  if (rule == LetterRule::document || sources.layer_trusted) return "";
  for (const Draft& draft : sources.drafts)
    if (is_ocr(draft) && !draft.words.empty()) return draft.source;
  return "";
}

std::vector<Word> ocr_words(std::span<const Draft> drafts) {
  std::vector<Word> out;
  for (const Draft& draft : drafts)
    if (is_ocr(draft)) out.insert(out.end(), draft.words.begin(), draft.words.end());
  return out;
}

/// How to compare the model with an OCR engine; nullptr = it was not measured.
const Surety* surety_of(const std::string& ocr, const PageSources& sources) {
  if (!sources.surety) return nullptr;
  const auto it = sources.surety->find(ocr);
  return it == sources.surety->end() ? nullptr : &it->second;
}

/// The letters of one page on their way.
class Reconciler {
 public:
  Reconciler(LetterRule rule, const PageSources& sources, Page& page)
      : rule_(rule),
        sources_(sources),
        page_(page),
        ocr_name_(ocr_name(rule, sources)),
        words_(ocr_name_.empty() ? page_words(sources.layer, sources.image)
                                 : page_words(ocr_words(sources.drafts), nullptr)) {
    if (!ocr_name_.empty())  // what speaks against a layer's word does not against OCR's
      for (PageWord& word : words_) word.doubt.clear();
    if (ocr_name_.empty() && believed() && sources_.image && !words_.empty())
      trim_pictures(*sources_.image, words_, page_);
    for (Block& block : page.blocks) blocks_.emplace_back(block);
    repeats_.assign(blocks_.size(), 0);
  }

  void run() {
    if (words_.empty()) return;
    align_boxed();
    align_open_ends();
    align_rest();
    if (believed()) find_repeats();
    find_differences();
    if (ocr_name_.empty())
      LayerCheck(sources_, blocks_).decide(rule_);
    else
      decide_by_surety(blocks_, sources_.read, drafts_of_blocks(), surety_of(ocr_name_, sources_));
    for (BlockLetters& block : blocks_) {
      block.drop_moved();
      block.apply(source(), 72 / sources_.dpi);
    }
    take_out_repeats();
    if (!ocr_name_.empty()) drop_doubles();
  }

 private:
  /// Whether the words say what stands on the page.
  bool believed() const {
    return !ocr_name_.empty() || sources_.layer_trusted || rule_ == LetterRule::document;
  }

  WordSource source() const { return ocr_name_.empty() ? WordSource::document : WordSource::ocr; }

  /// OCR's drafts of the regions where the blocks stand; nullptr = it has none there.
  std::vector<const Draft*> drafts_of_blocks() const {
    constexpr double kSamePlace = 0.8;
    std::vector<const Draft*> out(blocks_.size(), nullptr);
    for (size_t i = 0; i < blocks_.size(); ++i)
      for (const Draft& draft : sources_.drafts)
        for (const Region& region : sources_.regions)
          if (is_ocr(draft) && draft.region == region.id &&
              iou(region.box, to_box(blocks_[i].block().box_pt, sources_.dpi)) > kSamePlace)
            out[i] = &draft;
    return out;
  }

  bool boxed(const BlockLetters& block) const { return has_own_box(block.block(), page_); }

  /// The fault of most of the words; "" if it is fewer than half.
  static std::string doubt_of(const std::vector<PageToken>& tokens) {
    size_t doubtful = 0;
    std::string why;
    for (const PageToken& token : tokens)
      if (!token.doubt.empty() && ++doubtful > 0) why = token.doubt;
    return 2 * doubtful > tokens.size() ? why : "";
  }

  /// Each block against the words in its box and a line around it: those of a text layer line by
  /// line, or in the file's order where this has more of the block's words, as for several columns.
  void align_boxed() {
    for (BlockLetters& block : blocks_) {
      if (!boxed(block) || !block.has_text()) continue;
      Alignment best = aligned_in(block, ocr_name_.empty() ? WordOrder::by_place : WordOrder::own);
      if (const std::string why = doubt_of(best.tokens); !why.empty()) {
        block.set_unknown(why);
        continue;
      }
      if (ocr_name_.empty() && best.equal < block.aligned().size()) {
        Alignment other = aligned_in(block, WordOrder::own);
        if (other.equal > best.equal) best = std::move(other);
      }
      block.set_page(std::move(best.tokens), std::move(best.matches), box_of(block));
    }
  }

  struct Alignment {
    std::vector<PageToken> tokens;
    std::vector<WordMatch> matches;
    size_t equal = 0;
  };

  /// Where a block's words are looked for. On scans as wide as the region that it lies in: the
  /// boxes of models may cut lines short.
  Box box_of(const BlockLetters& block) const {
    const Box own = to_box(block.block().box_pt, sources_.dpi);
    Box wide = own;
    for (const Region& region : sources_.regions)
      if (!ocr_name_.empty() && 2 * intersect(own, region.box).area() > own.area())
        wide = {std::min(wide.x0, region.box.x0), own.y0, std::max(wide.x1, region.box.x1), own.y1};
    return wide;
  }

  Alignment aligned_in(BlockLetters& block, WordOrder order) const {
    Alignment out;
    out.tokens = tokens_in(words_, box_of(block), int(sources_.dpi / 6), order);
    block.drop_mark(out.tokens);
    out.matches = align(block.aligned(), out.tokens);
    out.equal = size_t(std::count_if(out.matches.begin(), out.matches.end(),
                                     [](const WordMatch& match) { return match.equal(); }));
    return out;
  }

  /// The ends of paragraphs that go on in the next column, against words that no block has.
  void align_open_ends() {
    constexpr size_t kLeast = 2, kLeastLetters = 8;  // by which an end is known
    for (BlockLetters& block : blocks_) {
      const std::vector<AlignedWord> end = block.open_end();
      if (end.size() < kLeast) continue;
      std::vector<char> claimed(words_.size(), 0);
      for (const BlockLetters& one : blocks_) one.claim(claimed);
      claim_of_others(claimed);
      std::vector<int> free;
      for (int i = 0; i < int(words_.size()); ++i)
        if (!claimed[size_t(i)]) free.push_back(i);
      std::vector<PageToken> tokens = all_tokens(words_, free);
      for (PageToken& token : tokens) token.aligned.outside = true;
      const std::vector<WordMatch> matches = align(end, tokens);
      size_t first = matches.size(), last = 0, equal = 0, letters = 0;
      for (size_t i = 0; i < matches.size(); ++i) {
        if (matches[i].a1 == matches[i].a0 || matches[i].b1 == matches[i].b0) continue;
        if (matches[i].distance > 0.34) continue;
        first = std::min(first, i);
        last = i + 1;
        equal += matches[i].equal();
        letters += matches[i].equal() ? end[matches[i].a0].key.size() : 0;
      }
      if (2 * equal < end.size() || equal < kLeast || letters < kLeastLetters) continue;
      const size_t b0 = matches[first].b0, b1 = matches[last - 1].b1;
      if (b1 - b0 > 2 * end.size()) continue;  // words from all over the page
      std::vector<WordMatch> own;
      for (size_t i = 0; i < matches.size(); ++i) {
        const bool word = matches[i].a1 > matches[i].a0;
        if (!word && (i < first || i >= last)) continue;
        own.push_back(matches[i]);
        own.back().b0 = std::clamp(own.back().b0, b0, b1) - b0;
        own.back().b1 = std::clamp(own.back().b1, b0, b1) - b0;
      }
      block.extend({tokens.begin() + ptrdiff_t(b0), tokens.begin() + ptrdiff_t(b1)}, own);
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
    for (size_t i = 0; i < blocks_.size(); ++i)
      if (!repeats_[i]) blocks_[i].claim(claimed);
    claim_of_others(claimed);
    for (size_t i = 0; i < blocks_.size(); ++i)
      if (!repeats_[i]) {
        blocks_[i].find_differences(claimed, sources_.image, source());
        blocks_[i].claim_left_out(claimed);
      }
  }

  /// Blocks that say again what others say of the same words of the page: a model that loops starts
  /// anew. Of two, the one whose place is known stays, or else the first.
  void find_repeats() {
    std::vector<char> claimed(words_.size(), 0);
    for (const bool with_box : {true, false}) {
      for (size_t i = 0; i < blocks_.size(); ++i) {
        if (boxed(blocks_[i]) != with_box) continue;
        repeats_[i] = blocks_[i].repeats(claimed);
        if (!repeats_[i]) blocks_[i].claim(claimed, with_box);
      }
      // The words in a block's box are no other one's, also where it has left them out.
      for (size_t i = 0; i < blocks_.size(); ++i)
        if (with_box && boxed(blocks_[i]) && !repeats_[i]) blocks_[i].claim_inside(claimed);
    }
  }

  /// Takes out the repeats, whose words are told as taken out of the block before them, and the
  /// blocks in place of pictures for which there were no words.
  void take_out_repeats() {
    const auto goes = [this](size_t i) {
      const Block& block = page_.blocks[i];
      return repeats_[i] ||
             (block.kind == RegionKind::text && block.text.empty() && block.words.empty());
    };
    std::vector<Block> kept;
    std::vector<WordReading> taken;  // of which no block has told
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (repeats_[i]) taken.push_back(blocks_[i].taken_out(source()));
      if (!goes(i)) kept.push_back(std::move(page_.blocks[i]));
      if (kept.empty()) continue;
      std::vector<WordReading>& words = kept.back().words;
      words.insert(words.end(), taken.begin(), taken.end());
      taken.clear();
    }
    blocks_.clear();  // they point to those of the page
    page_.blocks = std::move(kept);
    number_blocks(page_.blocks);
  }

  /// Words in pictures and formulas are theirs.
  void claim_of_others(std::vector<char>& claimed) const {
    for (const Block& block : page_.blocks) {
      if (block.kind != RegionKind::picture && block.kind != RegionKind::formula) continue;
      for (const PageToken& token : tokens_in(words_, to_box(block.box_pt, sources_.dpi), 0))
        for (const int word : token.words) claimed[size_t(word)] = 1;
    }
  }

  /// Takes out the model's blocks that lie within a block which became OCR's draft: it has their
  /// words.
  void drop_doubles() {
    constexpr double kInside = 0.8;
    std::vector<Box> drafted;
    for (const Block& block : page_.blocks)
      if (block.source == ocr_name_) drafted.push_back(to_box(block.box_pt, sources_.dpi));
    blocks_.clear();  // they point to those of the page
    std::erase_if(page_.blocks, [&](const Block& block) {
      const Box own = to_box(block.box_pt, sources_.dpi);
      return block.kind != RegionKind::picture && block.source != ocr_name_ &&
             std::any_of(drafted.begin(), drafted.end(), [&](const Box& box) {
               return double(intersect(box, own).area()) > kInside * double(own.area());
             });
    });
    number_blocks(page_.blocks);
  }

  LetterRule rule_;
  const PageSources& sources_;
  Page& page_;
  const std::string ocr_name_;
  std::vector<PageWord> words_;
  std::vector<BlockLetters> blocks_;
  std::vector<char> repeats_;  // whether each is one
};

}  // namespace

LetterRule letter_rule(std::string_view name) {
  if (name == "auto") return LetterRule::automatic;
  return name == "model" ? LetterRule::model : LetterRule::document;
}

std::optional<double> share_where_ocr_read(LetterRule rule, const PageSources& sources) {
  constexpr double kFew = 0.8;
  constexpr size_t kLeastWords = 20;
  if (rule == LetterRule::model) return std::nullopt;
  const std::string ocr = ocr_name(rule, sources);
  const Surety* const surety = surety_of(ocr, sources);
  if (!surety || sources.read.empty()) return std::nullopt;
  const std::vector<Word> words = ocr_words(sources.drafts);
  if (words.size() < kLeastWords) return std::nullopt;
  const double share = shared_words(sources.read, words);
  if (share >= kFew || !is_surer(words, sources.read, *surety)) return std::nullopt;
  return share;
}

void reconcile(LetterRule rule, const PageSources& sources, Page& page) {
  if (rule == LetterRule::model) return;
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
