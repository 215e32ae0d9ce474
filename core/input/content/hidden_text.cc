#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/content/hidden_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <qpdf/Buffer.hh>
#include <qpdf/Pl_Buffer.hh>
#include <qpdf/Pl_QPDFTokenizer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <string>
#include <utility>
#include <vector>

#include "core/input/content/saved_states.h"
#include "core/input/letters/byte_font.h"

namespace docspec {
namespace {

/// Counts the bytes of text that a page shows with ink and without.
class TextCounter : public QPDFObjectHandle::ParserCallbacks {
 public:
  TextCounter(QPDFObjectHandle resources, double page_area)
      : resources_(resources), page_area_(page_area) {}

  size_t seen() const { return seen_; }
  size_t hidden() const { return hidden_; }

  void handleObject(QPDFObjectHandle object, size_t, size_t) override {
    constexpr size_t kMostOperands = 4000;
    if (!object.isOperator()) {
      if (operands_.size() < kMostOperands) operands_.push_back(object);
      return;
    }
    run(object.getOperatorValue());
    operands_.clear();
  }
  void handleEOF() override {}

 private:
  struct State {
    std::array<double, 4> scale{1, 0, 0, 1};  // of the current matrix, without what it moves
    bool without_ink = false;
  };

  double number(size_t i) {
    return i < operands_.size() && operands_[i].isNumber() ? operands_[i].getNumericValue() : 0;
  }

  void run(const std::string& op) {
    if (saved_.run(op, state_)) return;
    if (op == "cm") {
      concatenate({number(0), number(1), number(2), number(3)});
    } else if (op == "Tr") {
      state_.without_ink = number(0) == 3;
    } else if ((op == "Tj" || op == "'" || op == "\"" || op == "TJ") && !operands_.empty()) {
      show(operands_.back());
    } else if (op == "Do" && !operands_.empty() && operands_[0].isName()) {
      draw(entry(entry(resources_, "/XObject"), operands_[0].getName()));
    }
  }

  void concatenate(const std::array<double, 4>& m) {
    const auto& s = state_.scale;
    state_.scale = {m[0] * s[0] + m[1] * s[2], m[0] * s[1] + m[1] * s[3], m[2] * s[0] + m[3] * s[2],
                    m[2] * s[1] + m[3] * s[3]};
  }

  void show(QPDFObjectHandle text) {
    size_t bytes = 0;
    if (text.isString()) bytes = text.getStringValue().size();
    if (text.isArray())
      for (QPDFObjectHandle item : text.getArrayAsVector())
        if (item.isString()) bytes += item.getStringValue().size();
    (state_.without_ink ? hidden_ : seen_) += bytes;
  }

  void draw(QPDFObjectHandle object) {
    constexpr double kWhole = 0.8;  // of the page
    constexpr int kDeepest = 6, kMost = 100;
    if (!object.isStream()) return;
    QPDFObjectHandle kind = object.getDict().getKey("/Subtype");
    if (!kind.isName()) return;
    const auto& s = state_.scale;
    if (kind.getName() == "/Image" && std::abs(s[0] * s[3] - s[1] * s[2]) > kWhole * page_area_) {
      hidden_ += seen_;
      seen_ = 0;
    }
    if (kind.getName() != "/Form" || depth_ == kDeepest || forms_ == kMost) return;
    const State outer = state_;
    QPDFObjectHandle outer_resources = resources_;
    SavedStates<State> saved = std::exchange(saved_, {});
    ++depth_, ++forms_;
    QPDFObjectHandle matrix = object.getDict().getKey("/Matrix");
    if (matrix.isArray() && matrix.getArrayNItems() == 6) {
      std::array<double, 4> m{};
      for (int i = 0; i < 4; ++i)
        if (matrix.getArrayItem(i).isNumber())
          m[size_t(i)] = matrix.getArrayItem(i).getNumericValue();
      concatenate(m);
    }
    QPDFObjectHandle own = object.getDict().getKey("/Resources");
    if (own.isDictionary()) resources_ = own;
    operands_.clear();
    object.parseAsContents(this);
    resources_ = outer_resources;
    state_ = outer;
    saved_ = std::move(saved);
    --depth_;
  }

  QPDFObjectHandle resources_;
  double page_area_;
  std::vector<QPDFObjectHandle> operands_;
  State state_;
  SavedStates<State> saved_;
  size_t seen_ = 0, hidden_ = 0;
  int depth_ = 0, forms_ = 0;
};

using Placing = std::array<double, 6>;  // a, b, c, d, e, f of a PDF's matrix

Placing placed(const Placing& m, const Placing& in) {
  return {m[0] * in[0] + m[1] * in[2],         m[0] * in[1] + m[1] * in[3],
          m[2] * in[0] + m[3] * in[2],         m[2] * in[1] + m[3] * in[3],
          m[4] * in[0] + m[5] * in[2] + in[4], m[4] * in[1] + m[5] * in[3] + in[5]};
}

/// Lifts text that the content clips away, or writes without ink, far above the page, where
/// Poppler leaves it out; what is shown after it keeps its place. Text that begins past the edge at
/// which the content clips the text before it gets a size that is a little larger, and unseen
/// letters before it: then Poppler takes it for a word of its own.
class UnseenText : public QPDFObjectHandle::TokenFilter {
 public:
  /// `drops_inkless`: also text without ink.
  explicit UnseenText(bool drops_inkless) : drops_inkless_(drops_inkless) {}

  bool found() const { return found_; }

  void handleToken(const QPDFTokenizer::Token& token) override {
    constexpr size_t kMostOperands = 4000;
    const auto type = token.getType();
    pending_ += token.getRawValue();
    if ((type == QPDFTokenizer::tt_integer || type == QPDFTokenizer::tt_real) &&
        numbers_.size() < kMostOperands)
      numbers_.push_back(std::strtod(token.getValue().c_str(), nullptr));
    if (type == QPDFTokenizer::tt_name) name_ = token.getRawValue();
    if (type != QPDFTokenizer::tt_word) return;
    const std::string& op = token.getValue();
    set_state(op);
    set_path(op);
    set_place(op);
    if (op == "Tj" || op == "TJ" || op == "'" || op == "\"") show(op);
    write(pending_);
    pending_.clear();
    numbers_.clear();
  }
  void handleEOF() override { write(pending_); }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  struct Extent {
    double x0 = kFar, y0 = kFar, x1 = -kFar, y1 = -kFar;
  };
  struct Graphics {
    Placing matrix{1, 0, 0, 1, 0, 0};
    Extent clip{-kFar, -kFar, kFar, kFar};
    bool without_ink = false;
    double rise = 0, size = 0, leading = 0;
    std::string font;
  };
  /// The last text shown: where it begins, and what the content clips it to.
  struct Shown {
    double x = 0, y = 0;
    Extent clip{-kFar, -kFar, kFar, kFar};
  };

  void show(const std::string& op) {
    constexpr double kLarger = 1.00001;
    const Placing m = placed(line_, state_.matrix);
    if (is_unseen()) {
      pending_ = fmt::format(" 100000 Ts {} {} Ts", pending_, state_.rise);
      found_ = true;
      return;
    }
    if ((op == "Tj" || op == "TJ") && placed_anew_ && begins_past_clip(m)) {
      pending_ = fmt::format(" 100000 Ts (00) Tj {} Ts {:.6f} Tm {} {} Tf {} {} {} Tf", state_.rise,
                             fmt::join(line_, " "), state_.font, state_.size * kLarger, pending_,
                             state_.font, state_.size);
      found_ = true;
    }
    placed_anew_ = false;
    shown_ = {m[4], m[5], state_.clip};
  }

  /// Whether text placed at `m`, upright or turned by right angles, goes on in the line of the text
  /// before it, past the edge of that one's clip and near it.
  bool begins_past_clip(const Placing& m) const {
    constexpr double kNear = 1, kSameLine = 0.3, kBefore = 0.05, kUpright = 0.01;  // font sizes
    const double size = state_.size * std::hypot(m[2], m[3]);
    const bool level = std::abs(m[1]) <= kUpright * std::abs(m[0]);
    if (size <= 0 || (!level && std::abs(m[0]) > kUpright * std::abs(m[1]))) return false;
    const Extent& clip = shown_.clip;
    const double aside = level ? m[5] - shown_.y : m[4] - shown_.x;
    const double sign = (level ? m[0] : m[1]) > 0 ? 1 : -1;
    const double edge = level ? (sign > 0 ? clip.x1 : clip.x0) : (sign > 0 ? clip.y1 : clip.y0);
    const double inside = sign * (edge - (level ? shown_.x : shown_.y));
    const double past = sign * ((level ? m[4] : m[5]) - edge);
    return std::abs(aside) < kSameLine * size && inside > 0 && past > -kBefore * size &&
           past < kNear * size;
  }

  double number(size_t i) const { return i < numbers_.size() ? numbers_[i] : 0; }
  Placing numbers() const {
    return {number(0), number(1), number(2), number(3), number(4), number(5)};
  }

  void set_state(const std::string& op) {
    if (saved_.run(op, state_)) return;
    if (op == "cm") {
      state_.matrix = placed(numbers(), state_.matrix);
    } else if (op == "Tr") {
      state_.without_ink = number(0) == 3;
    } else if (op == "Ts") {
      state_.rise = number(0);
    } else if (op == "Tf") {
      state_.size = numbers_.empty() ? 0 : numbers_.back();
      state_.font = name_;
    } else if (op == "TL") {
      state_.leading = number(0);
    }
  }

  void add_point(double x, double y) {
    const Placing at = placed({1, 0, 0, 1, x, y}, state_.matrix);
    path_ = {std::min(path_.x0, at[4]), std::min(path_.y0, at[5]), std::max(path_.x1, at[4]),
             std::max(path_.y1, at[5])};
  }

  /// The clip is at most as large as what holds all points of its path.
  void set_path(const std::string& op) {
    static const std::string kPaints = " n f F f* S s B B* b b* ";
    if (op == "re") {
      for (const double x : {number(0), number(0) + number(2)})
        for (const double y : {number(1), number(1) + number(3)}) add_point(x, y);
    } else if (op == "m" || op == "l" || op == "c" || op == "v" || op == "y") {
      for (size_t i = 0; i + 1 < numbers_.size(); i += 2) add_point(number(i), number(i + 1));
    } else if (op == "W" || op == "W*") {
      clips_ = true;
    } else if (kPaints.find(" " + op + " ") != std::string::npos) {
      Extent& clip = state_.clip;
      if (clips_)
        clip = {std::max(clip.x0, path_.x0), std::max(clip.y0, path_.y0),
                std::min(clip.x1, path_.x1), std::min(clip.y1, path_.y1)};
      path_ = {};
      clips_ = false;
    }
  }

  void set_place(const std::string& op) {
    static const std::string kPlaces = " BT Tm Td TD T* ";
    placed_anew_ |= kPlaces.find(" " + op + " ") != std::string::npos;
    if (op == "TD") state_.leading = -number(1);
    if (op == "BT")
      line_ = {1, 0, 0, 1, 0, 0};
    else if (op == "Tm")
      line_ = numbers();
    else if (op == "Td" || op == "TD")
      line_ = placed({1, 0, 0, 1, number(0), number(1)}, line_);
    else if (op == "T*" || op == "'" || op == "\"")
      line_ = placed({1, 0, 0, 1, 0, -state_.leading}, line_);
  }

  /// Upright text is as high as its font; how far it goes to the right is not known.
  bool is_unseen() const {
    constexpr double kAbove = 1.2, kBelow = 0.5, kUpright = 0.01;  // font sizes
    if (state_.without_ink && drops_inkless_) return true;
    const Placing m = placed(line_, state_.matrix);
    const double size = state_.size * m[3], y = m[5] + state_.rise * m[3];
    if (size <= 0 || m[0] <= 0 || std::abs(m[1]) > kUpright * m[0] ||
        std::abs(m[2]) > kUpright * m[3])
      return false;
    const Extent& clip = state_.clip;
    return clip.x1 < m[4] || clip.y0 > y + kAbove * size || clip.y1 < y - kBelow * size;
  }

  bool drops_inkless_, found_ = false, clips_ = false, placed_anew_ = false;
  std::string pending_, name_;
  std::vector<double> numbers_;
  Graphics state_;
  SavedStates<Graphics> saved_;
  Shown shown_;
  Extent path_;
  Placing line_{1, 0, 0, 1, 0, 0};
};

/// Whether the text without ink on a page is not that of a scan: the page draws no picture, and
/// most of its text is seen.
bool has_stray_text(QPDFPageObjectHelper page, const std::string& content) {
  QPDFObjectHandle resources = page.getAttribute("/Resources", false);
  QPDFObjectHandle drawn = entry(resources, "/XObject");
  if (content.find("Tr") == std::string::npos || content.find("BI") != std::string::npos ||
      (drawn.isDictionary() && !drawn.getKeys().empty()))
    return false;
  TextCounter counter(resources, 1);
  page.parseContents(&counter);
  return counter.seen() > counter.hidden();
}

}  // namespace

std::string seen_content(QPDFPageObjectHelper page, const std::string& content) {
  constexpr size_t kLargest = 8 << 20;  // bytes; more are drawn, and take long to read
  if (content.size() > kLargest) return "";
  UnseenText filter(has_stray_text(page, content));
  Pl_Buffer filtered("");
  Pl_QPDFTokenizer tokens("", &filter, &filtered);
  tokens.write(reinterpret_cast<const unsigned char*>(content.data()), content.size());
  tokens.finish();
  if (!filter.found()) return "";
  const auto buffer = filtered.getBufferSharedPointer();
  return {reinterpret_cast<const char*>(buffer->getBuffer()), buffer->getSize()};
}

bool hides_text(QPDF& pdf, int page) {
  try {
    const auto& pages = pdf.getAllPages();
    if (page < 1 || size_t(page) > pages.size()) return false;
    QPDFPageObjectHelper source(pages[size_t(page) - 1]);
    QPDFObjectHandle resources = source.getAttribute("/Resources", false);
    if (!entry(resources, "/XObject").isDictionary()) return false;
    QPDFObjectHandle bounds = source.getAttribute("/MediaBox", false);
    if (!bounds.isRectangle()) return false;
    const auto box = bounds.getArrayAsRectangle();
    TextCounter counter(resources, std::abs((box.urx - box.llx) * (box.ury - box.lly)));
    source.parseContents(&counter);
    constexpr size_t kShown = 20;  // one byte of so many may be seen: a stamp
    return counter.hidden() > 0 && counter.seen() * kShown <= counter.hidden();
  } catch (const std::exception&) {
    return false;  // what cannot be parsed is taken as it is
  }
}

}  // namespace docspec
