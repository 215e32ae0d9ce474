#include "tests/support/decode_laws.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/decode/align/draft_aligner.h"
#include "core/decode/batch_scheduler.h"
#include "core/decode/registry.h"
#include "core/decode/verify/exact_verifier.h"
#include "tests/support/kernel_ops.h"

namespace docspec {

ToyResult run(const ToyCase& toy, const Verifier& verifier, const ProposerOf& make) {
  if (!make) return run(toy, verifier, ProposersOf());
  return run(toy, verifier, ProposersOf([&](std::vector<DraftTokens> drafts) {
               std::vector<std::unique_ptr<Proposer>> out;
               out.push_back(make(std::move(drafts)));
               return out;
             }));
}

namespace {

/// What the pages of a case have in common.
struct Table {
  const ToyCase& toy;
  const Verifier& verifier;
  const ProposersOf& make;
  ToyLm lm{toy.lm};
  std::unique_ptr<Ops> ops = toy.on_kernels ? make_kernel_ops() : make_cpu_ops();
  BatchScheduler passes{lm, toy.pages, toy.options.max_batch};
};

/// Every pages-th prompt from the page's number on.
struct ToyPage {
  const Table& at;
  size_t number;
  std::vector<Job> jobs = {};
  DecodeOptions options = at.toy.options;

  size_t prompt(size_t job) const { return number + job * at.toy.pages; }
  size_t alive() const {
    return size_t(std::count_if(jobs.begin(), jobs.end(), [](auto& job) { return !job.done(); }));
  }
  std::optional<Job> next_job() const {
    const size_t i = prompt(jobs.size());
    const ToyCase& toy = at.toy;
    if (i >= toy.prompts.size()) return std::nullopt;
    Job job(JobLabel{1, "page", {}}, toy.prompts[i], at.lm.prefill(toy.prompts[i]), toy.limits,
            toy.processor);
    job.sample(toy.sampling);
    if (i < toy.drafts.size() && at.make)
      for (auto& proposer : at.make(toy.drafts[i])) job.add(std::move(proposer));
    at::Tensor logits = at.lm.logits_after(toy.prompts[i]);
    start(job, *at.ops, logits);
    return job;
  }
};

Task<DecodeStats> read(Table& table, ToyPage& page) {
  BatchSlot batch_slot(table.passes);
  co_return co_await decode(batch_slot, *table.ops, table.verifier, nullptr, page.jobs,
                            page.options);
}

}  // namespace

ToyResult run(const ToyCase& toy, const Verifier& verifier, const ProposersOf& make) {
  Table table{toy, verifier, make};
  std::vector<ToyPage> pages;
  for (size_t i = 0; i < toy.pages; ++i) pages.push_back({table, i});
  const auto alive = [&] {
    size_t jobs = 0;
    for (const ToyPage& page : pages) jobs += page.alive();
    return jobs;
  };
  std::vector<Task<DecodeStats>> reading;
  for (ToyPage& page : pages) {
    for (size_t i = page.number; i < toy.ready && i < toy.prompts.size(); i += toy.pages)
      page.jobs.push_back(*page.next_job());
    page.options.next_job = [&] {
      EXPECT_TRUE(alive() < toy.options.max_batch || page.alive() == 0) << "no place is free";
      return page.next_job();
    };
    while (!table.passes.has_free_slot()) table.passes.run_pass();
    reading.push_back(read(table, page));
    reading.back().start();
  }
  while (table.passes.run_pass()) {
  }
  ToyResult out;
  out.output.resize(toy.prompts.size());
  out.cache = out.output;
  out.job_stats.resize(toy.prompts.size());
  for (size_t p = 0; p < pages.size(); ++p) {
    out.stats += reading[p].get();
    for (size_t i = 0; i < pages[p].jobs.size(); ++i) {
      Job& job = pages[p].jobs[i];
      const size_t at = pages[p].prompt(i);
      out.output[at].assign(job.output().begin(), job.output().end());
      out.cache[at] = dynamic_cast<ToyCache&>(job.cache()).tokens();
      out.job_stats[at] = job.stats();
    }
  }
  EXPECT_EQ(size_t(out.stats.forwards), table.lm.passes().size());
  return out;
}

namespace {

Ids garbage(std::mt19937& rng, int64_t vocab) {
  Ids out(rng() % 40);
  for (auto& id : out) id = int32_t(rng() % uint64_t(vocab));
  return out;
}

Ids edited(std::mt19937& rng, Ids ids, int64_t vocab) {
  for (size_t edits = 1 + rng() % 4; edits > 0 && !ids.empty(); --edits) {
    const auto at = ids.begin() + ptrdiff_t(rng() % ids.size());
    switch (rng() % 3) {
      case 0:
        *at = int32_t(rng() % uint64_t(vocab));
        break;
      case 1:
        ids.erase(at);
        break;
      default:
        ids.insert(at, int32_t(rng() % uint64_t(vocab)));
    }
  }
  return ids;
}

Ids poisoned(std::mt19937& rng, Ids ids, int64_t vocab, int32_t stop) {
  const int32_t poison[] = {-1, stop, int32_t(vocab), 2147483647, -2147483647 - 1};
  for (size_t k = 1 + rng() % 3; k > 0; --k)
    ids.insert(ids.begin() + ptrdiff_t(rng() % (ids.size() + 1)), poison[rng() % 5]);
  return ids;
}

}  // namespace

std::vector<DraftTokens> random_drafts(std::mt19937& rng, const Ids& truth, const Ids& other,
                                       int64_t vocab, int32_t stop) {
  std::vector<DraftTokens> out;
  for (size_t k = rng() % 6; k > 0; --k) {
    const std::string source = rng() % 2 ? "tesseract" : "text-layer";
    switch (rng() % 6) {
      case 0:
        out.push_back({source, {}});
        break;
      case 1:
        out.push_back({source, garbage(rng, vocab)});
        break;
      case 2: {  // the truth in regions
        for (size_t at = 0; at < truth.size();) {
          const size_t length = std::min<size_t>(truth.size() - at, 1 + rng() % 12);
          out.push_back(
              {source, Ids(truth.begin() + ptrdiff_t(at), truth.begin() + ptrdiff_t(at + length))});
          at += length;
        }
        break;
      }
      case 3:
        out.push_back({source, edited(rng, truth, vocab)});
        break;
      case 4:
        out.push_back({source, other});
        break;
      default:
        out.push_back({source, poisoned(rng, rng() % 2 ? truth : other, vocab, stop)});
    }
    if (rng() % 4 == 0 && !out.empty()) out.push_back(DraftTokens(out.back()));
  }
  std::shuffle(out.begin(), out.end(), rng);
  return out;
}

ToyCase random_case(std::mt19937& rng) {
  ToyCase toy;
  toy.lm.vocab = 5 + int64_t(rng() % 60);
  toy.lm.seed = rng();
  toy.lm.order = rng() % 2 ? int(1 + rng() % 3) : 0;  // short memories repeat themselves
  toy.lm.stop = int32_t(rng() % uint64_t(toy.lm.vocab));
  toy.lm.stop_rate = rng() % 3 == 0 ? 0 : 0.03;
  for (size_t jobs = 1 + rng() % 5; jobs > 0; --jobs) {
    Ids prompt(1 + rng() % 9);
    for (auto& id : prompt) id = int32_t(rng() % uint64_t(toy.lm.vocab));
    toy.prompts.push_back(prompt);
  }
  toy.limits.max_new_tokens = int64_t(rng() % 60);
  toy.limits.stop_ids = {toy.lm.stop};
  if (rng() % 2) toy.limits.stop_ids.push_back(int32_t(rng() % uint64_t(toy.lm.vocab)));
  if (rng() % 3 == 0) toy.processor.repetition_penalty = 1.05 + 0.1 * double(rng() % 10);
  if (rng() % 3 == 0) toy.processor.no_repeat_ngram_size = int64_t(1 + rng() % 4);
  toy.options.cost.fixed = rng() % 2 ? 0 : 1 + rng() % 80;
  toy.options.max_batch = 1 + rng() % 6;
  toy.ready = rng() % (toy.prompts.size() + 1);
  if (toy.ready == 0) toy.pages = 1 + rng() % 3;
  return toy;
}

ProposerOf window_of(const WindowOptions& options) {
  return [=](std::vector<DraftTokens> drafts) {
    return make_window_proposer(std::move(drafts), options);
  };
}

ToyCase sampled_case(std::mt19937& rng) {
  ToyCase toy = random_case(rng);
  toy.lm.spread = 1.5;
  toy.sampling = {.5 + .1 * double(rng() % 10), rng() % 2 ? 1 : .9, int64_t(rng() % 3 * 5), rng()};
  return toy;
}

std::string any_propose(std::mt19937& rng) {
  const size_t choice = rng() % (2 * proposers().size());
  return std::string(choice < proposers().size() ? proposers()[choice].name
                                                 : automatic(proposers()));
}

ProposersOf proposers_of(const std::string& propose, int32_t stop) {
  const auto specs = parse_spec_list("--propose", propose, forms(proposers()));
  return [=](std::vector<DraftTokens> drafts) {
    const ProposerInput known{
        drafts, stop, nullptr, std::make_shared<DraftAligner>(drafts, nullptr), {}};
    std::vector<std::unique_ptr<Proposer>> out;
    for (const Spec& spec : specs) out.push_back(make_proposer(spec, known));
    return out;
  };
}

int64_t expect_exact(uint32_t seed, const std::string& propose) {
  SCOPED_TRACE(propose + " seed " + std::to_string(seed));
  const auto exact = make_exact_verifier();
  std::mt19937 rng(seed);
  ToyCase toy = random_case(rng);
  const ToyResult plain = run(toy, *exact, ProposersOf());
  for (const Ids& output : plain.output)
    toy.drafts.push_back(random_drafts(rng, output, plain.output[rng() % plain.output.size()],
                                       toy.lm.vocab, toy.lm.stop));
  const ToyResult drafted = run(toy, *exact, proposers_of(propose, toy.lm.stop));
  EXPECT_EQ(drafted.output, plain.output);
  EXPECT_EQ(drafted.cache, plain.cache);
  for (auto& drafts : toy.drafts) std::shuffle(drafts.begin(), drafts.end(), rng);
  toy.options.max_batch = 1;
  EXPECT_EQ(run(toy, *exact, proposers_of(propose, toy.lm.stop)).output, plain.output)
      << "permuted drafts, batch 1";
  return drafted.stats.accepted;
}

int64_t expect_exact(uint32_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto exact = make_exact_verifier();
  std::mt19937 rng(seed);
  ToyCase toy = random_case(rng);
  const ToyResult plain = run(toy, *exact, ProposersOf());
  for (const Ids& output : plain.output)
    toy.drafts.push_back(random_drafts(rng, output, plain.output[rng() % plain.output.size()],
                                       toy.lm.vocab, toy.lm.stop));
  WindowOptions options;
  options.window = 1 + rng() % 4;
  options.max_candidates = 1 + rng() % 40;
  options.stop_token = toy.limits.stop_ids[0];
  const ToyResult drafted = run(toy, *exact, window_of(options));
  EXPECT_EQ(drafted.output, plain.output);
  EXPECT_EQ(drafted.cache, plain.cache);
  for (auto& drafts : toy.drafts) std::shuffle(drafts.begin(), drafts.end(), rng);
  EXPECT_EQ(run(toy, *exact, window_of(options)).output, plain.output) << "permuted drafts";
  for (size_t i = 0; i < toy.prompts.size(); ++i) {
    ToyCase alone = toy;
    alone.pages = 1;
    alone.prompts = {toy.prompts[i]};
    alone.drafts = {toy.drafts[i]};
    EXPECT_EQ(run(alone, *exact, window_of(options)).output[0], plain.output[i]) << "batch 1";
  }
  return drafted.stats.accepted;
}

}  // namespace docspec
