#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/letters/hidden_text.h"

#include <array>
#include <cmath>
#include <exception>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <string>
#include <vector>

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
    constexpr size_t kDeepest = 100;
    if (op == "q" && saved_.size() < kDeepest) {
      saved_.push_back(state_);
    } else if (op == "Q" && !saved_.empty()) {
      state_ = saved_.back();
      saved_.pop_back();
    } else if (op == "cm") {
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
    const std::vector<State> saved = std::move(saved_);
    saved_.clear();
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
    saved_ = saved;
    --depth_;
  }

  QPDFObjectHandle resources_;
  double page_area_;
  std::vector<QPDFObjectHandle> operands_;
  State state_;
  std::vector<State> saved_;
  size_t seen_ = 0, hidden_ = 0;
  int depth_ = 0, forms_ = 0;
};

}  // namespace

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
