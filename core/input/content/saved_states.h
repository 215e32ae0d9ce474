#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace docspec {

/// The graphics states that a page's content saves (`q`) and restores (`Q`, PDF 32000-1, 8.4.2).
/// Those deeper than a hundred are counted alone, so that none is restored too early.
template <typename State>
class SavedStates {
 public:
  /// Saves or restores `state` if that is what the operator does; returns whether it is.
  bool run(std::string_view op, State& state) {
    constexpr std::size_t kDeepest = 100;
    if (op != "q" && op != "Q") return false;
    if (op == "q" && states_.size() == kDeepest) {
      ++deeper_;
    } else if (op == "q") {
      states_.push_back(state);
    } else if (deeper_ > 0) {
      --deeper_;
    } else if (!states_.empty()) {
      state = states_.back();
      states_.pop_back();
    }
    return true;
  }

 private:
  std::vector<State> states_;
  std::size_t deeper_ = 0;  // states that are not kept
};

}  // namespace docspec
