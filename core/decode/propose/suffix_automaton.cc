#include "core/decode/propose/suffix_automaton.h"

namespace docspec {

SuffixAutomaton::SuffixAutomaton() : states_(1) {}

int32_t SuffixAutomaton::next(int32_t state, int32_t token) const {
  if (state == 0) {
    const auto it = root_.find(token);
    return it == root_.end() ? -1 : it->second;
  }
  for (const auto& [on, to] : states_[size_t(state)].next)
    if (on == token) return to;
  return -1;
}

void SuffixAutomaton::set_next(int32_t state, int32_t token, int32_t to) {
  if (state == 0) {
    root_[token] = to;
    return;
  }
  for (auto& [on, old] : states_[size_t(state)].next)
    if (on == token) {
      old = to;
      return;
    }
  states_[size_t(state)].next.emplace_back(token, to);
}

/// Splits off a state for those strings of `state` that are one token longer than those of
/// `parent`.
int32_t SuffixAutomaton::split(int32_t parent, int32_t token, int32_t state) {
  const auto clone = int32_t(states_.size());
  states_.push_back(states_[size_t(state)]);
  states_[size_t(clone)].length = states_[size_t(parent)].length + 1;
  states_[size_t(state)].link = clone;
  for (; parent >= 0 && next(parent, token) == state; parent = states_[size_t(parent)].link)
    set_next(parent, token, clone);
  return clone;
}

void SuffixAutomaton::add(int32_t token) {
  constexpr int kWalk = 64;  // suffixes that learn the new occurrence; longer chains are rare
  text_.push_back(token);
  int32_t at = last_;
  if (const int32_t known = next(at, token); known >= 0) {  // of an earlier sequence
    const bool fits = states_[size_t(known)].length == states_[size_t(at)].length + 1;
    last_ = fits ? known : split(at, token, known);
  } else {
    last_ = int32_t(states_.size());
    State& fresh = states_.emplace_back();
    fresh.length = states_[size_t(at)].length + 1;
    for (; at >= 0 && next(at, token) < 0; at = states_[size_t(at)].link)
      set_next(at, token, last_);
    int32_t link = 0;
    if (at >= 0) {
      const int32_t to = next(at, token);
      const bool fits = states_[size_t(to)].length == states_[size_t(at)].length + 1;
      link = fits ? to : split(at, token, to);
    }
    states_[size_t(last_)].link = link;
  }
  int32_t state = last_;
  for (int walked = 0; state > 0 && walked < kWalk; ++walked) {
    states_[size_t(state)].last_end = int32_t(text_.size());
    state = states_[size_t(state)].link;
  }
}

void SuffixAutomaton::advance(Match& match, int32_t token) const {
  // States may have been split since: back to the one that holds a string of this length.
  const auto settle = [&] {
    while (match.state > 0 &&
           match.length <= states_[size_t(states_[size_t(match.state)].link)].length)
      match.state = states_[size_t(match.state)].link;
  };
  settle();
  while (match.state > 0 && next(match.state, token) < 0) {
    match.state = states_[size_t(match.state)].link;
    match.length = states_[size_t(match.state)].length;
  }
  const int32_t to = next(match.state, token);
  if (to < 0) {
    match = {};
    return;
  }
  match = {to, match.length + 1};
  settle();
}

int32_t SuffixAutomaton::last_end(const Match& match) const {
  return match.state > 0 ? states_[size_t(match.state)].last_end : -1;
}

SuffixAutomaton::Match SuffixAutomaton::shorter(const Match& match) const {
  if (match.state <= 0) return {};
  const int32_t link = states_[size_t(match.state)].link;
  return {link, states_[size_t(link)].length};
}

}  // namespace docspec
