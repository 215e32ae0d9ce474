#include "tests/support/all_outcomes.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

/// Calls `visit` with each sequence of `length` tokens.
void each_sequence(int32_t vocab, size_t length, const std::function<void(const Ids&)>& visit) {
  Ids ids(length, 0);
  while (true) {
    visit(ids);
    size_t i = 0;
    while (i < length && ++ids[i] == vocab) ids[i++] = 0;
    if (i == length) return;
  }
}

Ids prefix(const Ids& ids, size_t length) {
  return {ids.begin(), ids.begin() + std::ptrdiff_t(length)};
}

double probability(const Table& table, const Ids& ids, size_t from = 0) {
  double out = 1;
  for (size_t i = from; i < ids.size() && out > 0; ++i)
    out *= table.at(prefix(ids, i))[size_t(ids[i])];
  return out;
}

Ids path_to(const DraftTree& tree, int32_t row) {
  Ids out;
  for (; row > 0; row = tree.parent()[size_t(row)])
    out.insert(out.begin(), tree.token()[size_t(row)]);
  return out;
}

}  // namespace

void AllOutcomes::each(const std::function<void()>& visit) {
  choices_.clear();
  do {
    at_ = 0;
    weight_ = 1;
    visit();
    while (!choices_.empty() && ++choices_.back().taken == choices_.back().ways)
      choices_.pop_back();
  } while (!choices_.empty());
}

size_t AllOutcomes::choose(size_t ways) {
  if (at_ == choices_.size()) choices_.push_back({0, ways});
  return choices_[at_++].taken;
}

bool AllOutcomes::accept(double probability, size_t, size_t) {
  if (!(probability > 0)) return false;
  if (probability >= 1) return true;
  const bool taken = choose(2) == 0;
  weight_ *= taken ? probability : 1 - probability;
  return taken;
}

int32_t AllOutcomes::draw(std::span<const double> weights, size_t) {
  std::vector<int32_t> possible;
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i];
    if (weights[i] > 0) possible.push_back(int32_t(i));
  }
  const int32_t token = possible.at(choose(possible.size()));
  weight_ *= weights[size_t(token)] / sum;
  return token;
}

Table table_of(int32_t vocab, size_t length,
               const std::function<Distribution(const Ids&)>& distribution) {
  Table out;
  for (size_t n = 0; n < length; ++n)
    each_sequence(vocab, n, [&](const Ids& ids) { out[ids] = distribution(ids); });
  return out;
}

Distribution dirichlet(std::mt19937& rng, int32_t vocab, double concentration) {
  std::gamma_distribution<double> gamma(concentration);
  Distribution distribution(static_cast<size_t>(vocab));
  double sum = 0;
  for (double& p : distribution) sum += p = gamma(rng) + 1e-300;
  for (double& p : distribution) p /= sum;
  return distribution;
}

ToyLaw distribution_of(const Verifier& rule, const ToyPass& pass) {
  std::map<Ids, double> distribution;
  ToyLaw out;
  AllOutcomes rng;
  each_sequence(pass.vocab, pass.length * pass.drafts, [&](const Ids& all) {
    DraftTree tree(0);
    std::vector<Chain> chains(pass.drafts);
    double drawn = 1;
    for (size_t k = 0; k < pass.drafts && drawn > 0; ++k) {
      const Ids draft(all.begin() + std::ptrdiff_t(k * pass.length),
                      all.begin() + std::ptrdiff_t((k + 1) * pass.length));
      drawn *= probability(pass.q, draft);
      chains[k].rows = tree.insert(draft, 0, 1, 1000);
      for (size_t i = 0; i < pass.length; ++i)
        chains[k].distributions.push_back(pass.told.at(prefix(draft, i)));
    }
    if (drawn == 0) return;
    const Draws draws{[&](int32_t row) { return pass.p.at(path_to(tree, row)); }, &rng, chains};
    rng.each([&] {
      TreeStats stats;
      stats.draws = &draws;
      const Acceptance taken = rule.verify(tree, stats);
      Ids emitted = taken.path.empty() ? Ids() : path_to(tree, taken.path.back());
      emitted.push_back(taken.bonus);
      const double weight = drawn * rng.weight();
      out.accepted += weight * double(taken.path.size());
      each_sequence(pass.vocab, pass.length + 1 - emitted.size(), [&](const Ids& rest) {
        Ids text = emitted;
        text.insert(text.end(), rest.begin(), rest.end());
        distribution[text] += weight * probability(pass.p, text, emitted.size());
      });
    });
  });
  each_sequence(pass.vocab, pass.length + 1, [&](const Ids& text) {
    out.total_variation += std::abs(distribution[text] - probability(pass.p, text)) / 2;
  });
  return out;
}

}  // namespace docspec
