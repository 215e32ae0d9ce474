#include "core/decode/propose/box_proposer.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/decode/align/overlap.h"
#include "core/decode/align/token_symbols.h"
#include "core/decode/propose/box_history.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

constexpr size_t kMostRegions = 2;  ///< regions that are proposed next
constexpr size_t kTail = 96;        ///< last bytes of the output that are searched
constexpr size_t kSeparator = 24;   ///< most bytes between two regions
constexpr size_t kReach = 24;       ///< last tokens of a region's text before the next box
constexpr size_t kRest = 64;        ///< tokens of the text after a box
constexpr size_t kRetokenised = 3;  ///< tokens before markup that may be cut differently
constexpr size_t kSure = 3;         ///< bytes of markup that identify the position in it
constexpr size_t kMostDigits = 6;
constexpr double kSameBox = 0.5;  ///< least IoU at which a box belongs to a draft
constexpr int kFar = 64;          ///< from this difference on a number belongs to another region
constexpr int kStep = 4;          ///< cost of each region out of order, in differences of numbers
constexpr int kMostSteps = 10;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Where the numbers at the end of `text` begin: its last digits, commas and blanks, starting with
/// a digit.
size_t numbers_begin(std::string_view text) {
  size_t at = text.size();
  while (at > 0 && (is_digit(text[at - 1]) || text[at - 1] == ',' || text[at - 1] == ' ')) --at;
  while (at < text.size() && !is_digit(text[at])) ++at;
  return at;
}

/// A region in the markup: its box, and the text before, between and after the numbers.
struct Frame {
  uint32_t draft = 0;
  std::optional<Box> box;  ///< as drafted
  std::string head;
  std::array<std::string, 4> after;  ///< after each number; the last one to the end of its token
  std::vector<int32_t> rest;         ///< tokens after that
  bool written = false;              ///< the output has written a box for it
};

/// The frame of a draft that opens with a box.
std::optional<Frame> frame_of(uint32_t draft, std::span<const int32_t> ids,
                              const Tokenizer& tokenizer) {
  BoxReader reader;
  std::string text;
  for (size_t token = 0; token < ids.size(); ++token) {
    const std::string_view bytes = tokenizer.bytes_of(ids[token]);
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (!reader.push(bytes[i])) continue;
      text += bytes.substr(0, i);
      size_t at = numbers_begin(text);
      if (at == 0) return std::nullopt;  // numbers without markup are not a box
      Frame frame{draft, reader.box(), text.substr(0, at), {}, {}};
      text += bytes.substr(i);
      for (size_t side = 0; side < 4; ++side) {
        while (at < text.size() && is_digit(text[at])) ++at;
        const size_t from = at;
        while (at < text.size() && (side == 3 || !is_digit(text[at]))) ++at;
        frame.after[side] = text.substr(from, at - from);
      }
      const auto rest = ids.subspan(token + 1);
      frame.rest.assign(rest.begin(), rest.begin() + ptrdiff_t(std::min(rest.size(), kRest)));
      return frame;
    }
    text += bytes;
  }
  return std::nullopt;
}

/// A box that the output has begun: the complete numbers, how much of the text after the last of
/// them is written, and the digits of the next one.
struct Begun {
  BoxNumbers numbers{};
  size_t complete = 0, said = 0;
  std::string digits;

  int64_t match() const { return int64_t(4 * complete + digits.size()); }
};

/// Parses `text` as the beginning of a box in this frame.
std::optional<Begun> begun_in(const Frame& frame, std::string_view text) {
  Begun out;
  for (size_t at = 0; at < text.size();) {
    const size_t from = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    if (at == from || at - from > kMostDigits) return std::nullopt;
    out.digits = text.substr(from, at - from);
    if (at == text.size()) break;
    if (out.complete == 3) return std::nullopt;
    const std::string_view rest = text.substr(at), between = frame.after[out.complete];
    out.said = std::min(rest.size(), between.size());
    if (rest.substr(0, out.said) != between.substr(0, out.said)) return std::nullopt;
    at += out.said;
    out.numbers[out.complete++] = std::stoi(std::exchange(out.digits, {}));
  }
  return out;
}

class BoxProposer : public Proposer {
 public:
  BoxProposer(std::shared_ptr<DraftAligner> aligner, const Tokenizer* tokenizer)
      : aligner_(std::move(aligner)), tokenizer_(tokenizer) {
    if (!tokenizer_) return;
    for (uint32_t i = 0; i < aligner_->drafts(); ++i)
      if (auto frame = frame_of(i, aligner_->draft(i).ids(), *tokenizer_))
        frames_.push_back(std::move(*frame));
    if (frames_.empty()) return;
    undrafted_.head = frames_[0].head;
    undrafted_.after = frames_[0].after;
  }

  std::vector<Candidate> propose(std::span<const int32_t> output) override {
    if (frames_.empty()) return {};
    aligner_->follow(output);
    for (; seen_ < output.size(); ++seen_) read(tokenizer_->bytes_of(output[seen_]));
    tokens_.clear();
    candidates_.clear();
    const size_t at = numbers_begin(text_);
    if (at == text_.size() || !go_on_in_box(at)) begin_next();
    return std::move(candidates_);
  }

  void observe(const Observation&) override {}

 private:
  /// Rule names of the candidates: with the likeliest numbers, with another number.
  struct Rules {
    std::string_view likeliest, other;
  };

  void read(std::string_view bytes) {
    for (const char c : bytes) {
      if (boxes_.push(c)) learn(boxes_.box());
      text_ += c;
    }
    if (text_.size() > 2 * kTail) text_.erase(0, text_.size() - kTail);
  }

  /// Called when the output has completed a box; `text_` ends with its last number.
  void learn(const Box& box) {
    const Frame* found = nullptr;
    double best = kSameBox;
    for (Frame& frame : frames_) {
      const double same = iou(*frame.box, box);
      frame.written |= same >= kSameBox;
      if (same > best) best = same, found = &frame;
    }
    history_.add(box, found ? &*found->box : nullptr);
    if (found) last_ = found->draft;
    const std::string& head = found ? found->head : undrafted_.head;
    std::string_view before = std::string_view(text_).substr(0, numbers_begin(text_));
    if (history_.size() == 1 || !before.ends_with(head)) return;
    before.remove_suffix(head.size());
    before = before.substr(before.size() - std::min(before.size(), kSeparator));
    const size_t common = common_end<char>(separator_, before);
    separator_ = common > 0 ? before.substr(before.size() - common) : before;
  }

  /// Proposes the likeliest box, then those with one other number. `before`, then `text`, lead to
  /// the position where the box has begun.
  void add_boxes(const Frame& frame, const Begun& begun, std::span<const int32_t> before,
                 const std::string& text, const Rules& rules, int64_t match_length) {
    std::array<std::vector<NumberChoice>, 4> choices;
    BoxNumbers likely = begun.numbers;
    for (size_t side = begun.complete; side < 4; ++side) {
      const std::string digits = side == begun.complete ? begun.digits : std::string();
      choices[side] = frame.box ? history_.corrected(*frame.box, side, digits)
                                : history_.as_before(likely, side, digits);
      likely[side] = std::stoi(choices[side][0].digits);
    }
    const auto add = [&](size_t other_side, size_t other) {
      std::string box = text;
      if (begun.complete > 0 && begun.digits.empty())
        box += frame.after[begun.complete - 1].substr(begun.said);
      for (size_t side = begun.complete; side < 4; ++side) {
        const size_t said = side == begun.complete ? begun.digits.size() : 0;
        box += choices[side][side == other_side ? other : 0].digits.substr(said);
        box += frame.after[side];
      }
      std::vector<int32_t> ids(before.begin(), before.end());
      const std::vector<int32_t> more = tokenizer_->encode(box, false);
      ids.insert(ids.end(), more.begin(), more.end());
      ids.insert(ids.end(), frame.rest.begin(), frame.rest.end());
      const auto& of = choices[other_side];
      tokens_.push_back(std::move(ids));
      const std::string_view source =
          frame.box ? std::string_view(aligner_->draft(frame.draft).source()) : "output";
      candidates_.push_back({tokens_.back(), source, float(of[other].belief / of[0].belief),
                             other ? rules.other : rules.likeliest, match_length});
    };
    add(begun.complete, 0);
    for (size_t side = begun.complete; side < 4; ++side)
      for (size_t other = 1; other < choices[side].size(); ++other) add(side, other);
  }

  /// Number of regions from draft `from` to this one in reading order, cyclically.
  int steps(const Frame& frame, uint32_t from) const {
    const auto count = int(aligner_->drafts());
    return (int(frame.draft) - int(from) + count) % count;
  }

  /// Proposes if the output may have begun a box, whose numbers start at byte `at` of `text_`:
  /// boxes of near drafts, else one like those before. False if it is not a box.
  bool go_on_in_box(size_t at) {
    const std::string_view before = std::string_view(text_).substr(0, at);
    const std::string_view numbers = std::string_view(text_).substr(at);
    std::vector<std::tuple<int, const Frame*, Begun>> near;
    for (const Frame& frame : frames_) {
      if (frame.written || !before.ends_with(frame.head)) continue;
      const auto begun = begun_in(frame, numbers);
      if (!begun) continue;
      int off = kStep * std::min(kMostSteps, steps(frame, last_));
      bool far = false;
      for (size_t side = 0; side < begun->complete; ++side) {
        const int apart = std::abs(begun->numbers[side] - numbers_of(*frame.box)[side]);
        far |= apart > kFar;
        off += apart;
      }
      if (!far) near.emplace_back(off, &frame, *begun);
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); });
    for (size_t i = 0; i < std::min(kMostRegions, near.size()); ++i) {
      const auto& [off, frame, begun] = near[i];
      add_boxes(*frame, begun, {}, "", {i == 0 ? "box" : "other box", "box neighbour"},
                begun.match());
    }
    if (!near.empty()) return true;
    const auto begun = begun_in(undrafted_, numbers);
    if (!begun || history_.size() < 2 || !before.ends_with(undrafted_.head)) return false;
    add_boxes(undrafted_, *begun, {}, "", {"box as before", "box neighbour as before"},
              begun->match());
    return true;
  }

  /// Proposes the regions that may follow when the text of a region has ended or is about to.
  void begin_next() {
    std::vector<int32_t> text;
    uint32_t from = last_;
    int64_t match_length = 0;
    const size_t sure = overlap<char>(separator_ + undrafted_.head, text_).same;
    const bool in_markup = !separator_.empty() && sure >= kSure;
    if (in_markup) match_length = int64_t(sure);
    if (!in_markup && !aligner_->places().empty()) {
      const Continuation& place = aligner_->places()[0];
      const KeyedDraft& draft = aligner_->draft(place.draft);
      if (place.symbol > draft.after_box()) {
        if (draft.ids().size() > draft.token_of(place.symbol) + kReach) return;
        text = draft.rest(place.symbol, aligner_->trail(), kReach + kRetokenised);
        from = place.draft;
        match_length = place.match_length;
      }
    }
    const size_t kept = text.size() - std::min(text.size(), kRetokenised);
    const std::string end = text_of(std::span(text).subspan(kept));
    text.resize(kept);
    const std::string said = text_ + text_of(text) + end;
    const auto add = [&](const Frame& frame, const Rules& rules) {
      const std::string markup = separator_ + frame.head;
      const size_t at = overlap<char>(markup, said).at;
      if (at > 0 || history_.size() == 0)
        add_boxes(frame, {}, text, end + markup.substr(at), rules, match_length);
    };
    const std::vector<const Frame*> next = unwritten_after(from);
    for (size_t i = 0; i < next.size(); ++i)
      add(*next[i], {i == 0 ? "next box" : "box after", "next box neighbour"});
    if (history_.size() > 1) add(undrafted_, {"next as before", "next neighbour as before"});
  }

  std::vector<const Frame*> unwritten_after(uint32_t from) const {
    std::vector<const Frame*> out;
    for (const Frame& frame : frames_)
      if (!frame.written) out.push_back(&frame);
    std::stable_sort(out.begin(), out.end(), [&](const Frame* a, const Frame* b) {
      return steps(*a, from) < steps(*b, from);
    });
    if (out.size() > kMostRegions) out.resize(kMostRegions);
    return out;
  }

  std::string text_of(std::span<const int32_t> ids) const {
    std::string out;
    for (const int32_t id : ids) out += tokenizer_->bytes_of(id);
    return out;
  }

  std::shared_ptr<DraftAligner> aligner_;
  const Tokenizer* tokenizer_;
  std::vector<Frame> frames_;
  Frame undrafted_;  ///< the markup of a region that has no draft
  BoxReader boxes_;
  BoxHistory history_;
  std::string text_;                         ///< the end of the output
  std::string separator_;                    ///< the text between two regions of the output
  uint32_t last_ = 0;                        ///< the draft whose box was written last
  std::deque<std::vector<int32_t>> tokens_;  ///< storage of the last candidates
  std::vector<Candidate> candidates_;
  size_t seen_ = 0;
};

}  // namespace

std::unique_ptr<Proposer> make_box_proposer(std::shared_ptr<DraftAligner> aligner,
                                            const Tokenizer* tokenizer) {
  return std::make_unique<BoxProposer>(std::move(aligner), tokenizer);
}

}  // namespace docspec
