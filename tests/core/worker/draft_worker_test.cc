#include "core/worker/draft_worker.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "tests/support/sanitized.h"

namespace docspec {
namespace {

/// Does on each page what a hostile file makes of a library.
class FaultyService : public DraftService {
 public:
  /// `killed`: in memory that all processes share.
  explicit FaultyService(bool* killed) : killed_(killed) {}
  DocumentFacts open(std::shared_ptr<const InputBytes> input, const std::string&) override {
    if (input->bytes.view() == "locked") throw Error(ExitCode::password, input->name + ": locked");
    if (input->bytes.view() == "hang") hang();
    return {.pages = int(input->bytes.size())};
  }
  DraftedPage draft(int page) override {
    if (page == 2) hang();
    if (page == 3) raise(SIGSEGV);
    if (page == 4) std::vector<char>(size_t{4} << 30, 'x');
    if (page == 5) throw Error(ExitCode::input_file, "page 5: torn");
    if (page == 6) throw std::runtime_error("odd");
    if (page == 7) _exit(1);        // as Poppler's allocator does
    if (page == 9) raise(SIGKILL);  // as Linux does where memory runs out
    if (page == 10 && !std::exchange(*killed_, true)) raise(SIGKILL);
    return text(page, "whole");
  }
  DraftedPage text_layer(int page) override {
    if (page == 7) raise(SIGABRT);
    return text(page, "text layer");
  }

 private:
  static void hang() {
    while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  static DraftedPage text(int page, const std::string& what) {
    DraftedPage out;
    out.drafts.page = page;
    out.drafts.width_px = out.drafts.height_px = 10;
    out.drafts.drafts.push_back({std::nullopt, what, std::to_string(getpid()), 1, {}});
    return out;
  }

  bool* killed_;
};

/// Keeps memory of each page.
class GrowingService : public DraftService {
 public:
  DocumentFacts open(std::shared_ptr<const InputBytes> input, const std::string&) override {
    return {.pages = int(input->bytes.size())};
  }
  DraftedPage draft(int page) override {
    constexpr size_t kOfAPage = size_t{60} << 20;
    kept_.emplace_back(kOfAPage, 'x');
    DraftedPage out;
    out.drafts.page = page;
    out.drafts.width_px = out.drafts.height_px = 10;
    return out;
  }
  DraftedPage text_layer(int page) override { return draft(page); }

 private:
  std::vector<std::vector<char>> kept_;
};

std::shared_ptr<const InputBytes> bytes(const std::string& text) {
  return std::make_shared<InputBytes>(InputBytes{"in.pdf", text});
}

/// A sanitizer's report of a fault takes its time.
constexpr double kSecondsOfAPage = test::kSanitized ? 5 : 0.3;
constexpr const char* kTookLonger =
    test::kSanitized ? "took longer than 5 s" : "took longer than 0.3 s";

class Workers : public ::testing::Test {
 protected:
  std::atomic<bool> interrupted_ = false;
  bool* killed_ = static_cast<bool*>(
      mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  WorkerPool pool_{{kSecondsOfAPage, int64_t{200} << 20, &interrupted_},
                   [killed = killed_] { return std::make_unique<FaultyService>(killed); }};
};

TEST_F(Workers, OneProcessServesDocumentsInTurn) {
  std::string pid;
  for (int i = 0; i < 3; ++i) {
    DraftWorker worker(pool_, bytes("12345678"), "");
    EXPECT_EQ(worker.facts().pages, 8);
    const DraftedPage page = worker.draft(1);
    EXPECT_EQ(page.drafts.drafts.at(0).source, "whole");
    EXPECT_FALSE(page.failure);
    if (i > 0) {
      EXPECT_EQ(page.drafts.drafts[0].text, pid);
    }
    pid = page.drafts.drafts[0].text;
  }
  EXPECT_NE(pid, std::to_string(getpid()));
  EXPECT_EQ(pool_.lost(), 0);
  EXPECT_GT(pool_.peak_memory_mb(), 1);
}

TEST_F(Workers, AFaultCostsThePageAndKeepsItsTextLayer) {
  DraftWorker worker(pool_, bytes("12345678"), "");
  const std::pair<int, const char*> faults[] = {
      {2, kTookLonger},
      {3, "Segmentation fault"},
      {4, test::kSanitized ? "exit code 1" : "needs more than 200 MB"}};
  for (const auto& [number, why] : faults) {
    const DraftedPage page = worker.draft(number);
    ASSERT_TRUE(page.failure) << number;
    EXPECT_NE(page.failure->message.find(why), std::string::npos) << page.failure->message;
    EXPECT_NE(page.failure->message.find("in.pdf: page " + std::to_string(number)),
              std::string::npos);
    EXPECT_EQ(page.drafts.drafts.at(0).source, "text layer");
    EXPECT_FALSE(worker.draft(8).failure) << "the next page is read as ever";
  }
  EXPECT_EQ(pool_.lost(), 3);
}

TEST_F(Workers, NothingIsLeftOfAPageThatCrashesTwice) {
  DraftWorker worker(pool_, bytes("12345678"), "");
  const DraftedPage page = worker.draft(7);
  ASSERT_TRUE(page.failure);
  EXPECT_NE(page.failure->message.find("exit code 1"), std::string::npos) << page.failure->message;
  EXPECT_TRUE(page.drafts.drafts.empty());
  EXPECT_EQ(pool_.lost(), 2);
}

TEST_F(Workers, APageWhoseReaderIsKilledIsReadOnceMore) {
  DraftWorker worker(pool_, bytes("12345678"), "");
  EXPECT_FALSE(worker.draft(10).failure);
  EXPECT_EQ(pool_.lost(), 1);
  const DraftedPage page = worker.draft(9);
  ASSERT_TRUE(page.failure);
  EXPECT_EQ(page.failure->code, ExitCode::out_of_memory);
  EXPECT_NE(page.failure->message.find("ran out of memory"), std::string::npos)
      << "not told as a broken file: " << page.failure->message;
  EXPECT_EQ(pool_.lost(), 3);
}

TEST(WornOutWorkers, APageIsReadAgainByAFreshProcess) {
  WorkerPool pool({kSecondsOfAPage * 10, int64_t{200} << 20, nullptr},
                  [] { return std::make_unique<GrowingService>(); });
  DraftWorker worker(pool, bytes("12345678"), "");
  for (int page = 1; page <= 8; ++page) EXPECT_FALSE(worker.draft(page).failure) << page;
  EXPECT_EQ(pool.lost(), 0) << "no page was to blame";
}

TEST(OldWorkers, AnotherProcessTakesThePlaceOfOneThatWorkedForLong) {
  bool killed = false;
  WorkerLimits limits;
  limits.worker_seconds = 0;
  WorkerPool pool(limits, [&] { return std::make_unique<FaultyService>(&killed); });
  DraftWorker worker(pool, bytes("12345678"), "");
  const std::string first = worker.draft(1).drafts.drafts.at(0).text;
  EXPECT_NE(worker.draft(1).drafts.drafts.at(0).text, first);
  EXPECT_EQ(pool.lost(), 0) << "no document was to blame";
}

TEST_F(Workers, MapTheInputThatTheyAreGiven) {
  const std::string text(size_t{300} << 20, 'x');  // a copy would be beyond the limit of 200 MB
  const auto shared = std::make_shared<InputBytes>(InputBytes{
      "in.pdf",
      SharedBytes::shared(text.size(), [&](char* to) { return text.copy(to, text.size()); })});
  ASSERT_GE(shared->bytes.descriptor(), 0);
  EXPECT_TRUE(shared->bytes.view() == text);
  DraftWorker first(pool_, shared, ""), second(pool_, shared, "");
  EXPECT_EQ(first.facts().pages, int(text.size()));
  EXPECT_EQ(second.facts().pages, int(text.size()));
  EXPECT_LT(pool_.peak_memory_mb(), 200) << "the input is in memory once";
}

TEST(SharedBytes, AreWhatWasFilledAndNobodyChangesThem) {
  const SharedBytes bytes =
      SharedBytes::shared(100, [](char* to) { return std::string("abc").copy(to, 3); });
  EXPECT_EQ(bytes.view(), "abc");
  ASSERT_GE(bytes.descriptor(), 0);
  EXPECT_EQ(::pwrite(bytes.descriptor(), "x", 1, 0), -1);
  EXPECT_EQ(::ftruncate(bytes.descriptor(), 1), -1);
  EXPECT_EQ(::mmap(nullptr, 3, PROT_WRITE, MAP_SHARED, bytes.descriptor(), 0), MAP_FAILED);
  EXPECT_EQ(SharedBytes::shared(0, [](char*) { return size_t{0}; }).view(), "");
  EXPECT_THROW(SharedBytes::received(FileDescriptor(::dup(STDERR_FILENO))), Error);
}

TEST_F(Workers, ErrorsOfTheReaderComeBackAsTheyAre) {
  DraftWorker worker(pool_, bytes("12345678"), "");
  try {
    worker.draft(5);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::input_file);
    EXPECT_STREQ(e.what(), "page 5: torn");
  }
  try {
    worker.draft(6);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::internal);
  }
  try {
    DraftWorker(pool_, bytes("locked"), "").facts();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::password);
  }
  EXPECT_EQ(pool_.lost(), 0);
}

TEST_F(Workers, APageDraftedAheadWaitsForWhoWantsIt) {
  const auto input = bytes("12345678");
  DraftWorker(pool_, input, "").draft_ahead(1);
  const std::string other = DraftWorker(pool_, input, "").draft(8).drafts.drafts.at(0).text;
  DraftWorker wanting(pool_, input, "");
  const std::string ahead = wanting.draft(1).drafts.drafts.at(0).text;
  EXPECT_NE(ahead, other) << "a process that has a page to give is left alone";
  EXPECT_EQ(wanting.draft(8).drafts.drafts.at(0).text, ahead) << "and serves on after it";
  wanting.draft_ahead(3);
  EXPECT_TRUE(wanting.draft(3).failure);
  EXPECT_FALSE(wanting.draft(1).failure);
}

TEST_F(Workers, ADocumentThatHangsOnOpeningIsUnreadable) {
  DraftWorker worker(pool_, bytes("hang"), "");
  try {
    worker.facts();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::input_file);
  }
}

TEST_F(Workers, AnInterruptEndsTheWait) {
  DraftWorker worker(pool_, bytes("12345678"), "");
  worker.facts();
  interrupted_ = true;
  try {
    worker.draft(2);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::interrupted);
  }
  EXPECT_EQ(pool_.lost(), 0) << "nothing was wrong with it";
}

TEST_F(Workers, ManyThreadsHaveAProcessEach) {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&, i] {
      DraftWorker worker(pool_, bytes("12345678"), "");
      for (int n = 0; n < 20; ++n) {
        const bool crash = n % 7 == i;
        const DraftedPage page = worker.draft(crash ? 3 : 1);
        good += page.failure.has_value() == crash && page.drafts.drafts.size() == 1;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 120);
}

}  // namespace
}  // namespace docspec
