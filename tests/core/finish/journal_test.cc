#include "core/finish/journal.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/error.h"
#include "core/document/page_wire.h"
#include "tests/support/files.h"
#include "tests/support/random_document.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;
const JournalKey kKey = {"input", "reading", "rendering"};

std::vector<Page> some_pages() {
  std::mt19937 rng(4);
  std::vector<Page> pages;
  while (pages.size() < 5)
    for (Page& page : random_document(rng).pages) {
      page.page = int(pages.size()) + 1;
      page.status = page.page == 2 ? PageStatus::failed : PageStatus::ok;
      page.failure = std::nullopt;
      if (page.page == 2) page.failure = Failure{ExitCode::partial, "it\n\xff failed"};
      pages.push_back(page);
    }
  pages.resize(5);
  return pages;
}

TEST(Journal, GivesBackWhatWasAdded) {
  TempDir dir;
  const auto pages = some_pages();
  {
    auto journal = Journal::open(dir / "a.md", kKey, Earlier::keep);
    ASSERT_TRUE(journal);
    for (const Page& page : pages) journal->add(page);
  }
  auto again = Journal::open(dir / "a.md", kKey, Earlier::keep);
  ASSERT_EQ(again->pages().size(), 5u);
  for (const Page& page : pages) EXPECT_EQ(pack(again->pages().at(page.page)), pack(page));
}

TEST(Journal, IsBoundToInputAndReading) {
  TempDir dir;
  Journal::open(dir / "a.md", kKey, Earlier::keep)->add(some_pages()[0]);
  for (const JournalKey& other :
       {JournalKey{"other", "reading", "rendering"}, JournalKey{"input", "other", "rendering"}})
    EXPECT_TRUE(Journal::open(dir / "a.md", other, Earlier::keep)->pages().empty());
  EXPECT_TRUE(Journal::open(dir / "a.md", kKey, Earlier::drop)->pages().empty());
  const JournalKey rendered = {"input", "reading", "other"};
  EXPECT_EQ(Journal::open(dir / "a.md", rendered, Earlier::keep)->pages().size(), 1u);
}

TEST(Journal, RetryDropsWhatFailedAndALaterLineWins) {
  TempDir dir;
  auto pages = some_pages();
  {
    auto journal = Journal::open(dir / "a.md", kKey, Earlier::keep);
    for (const Page& page : pages) journal->add(page);
    write_file(dir / "a.md", "text");
    journal->finish({dir / "a.md"});
  }
  {
    auto journal = Journal::open(dir / "a.md", kKey, Earlier::retry_failed);
    EXPECT_FALSE(journal->pages().contains(2));
    EXPECT_EQ(journal->pages().size(), 4u);
    EXPECT_FALSE(journal->complete({dir / "a.md"}));
    pages[1].status = PageStatus::ok;
    journal->add(pages[1]);
  }
  EXPECT_EQ(Journal::open(dir / "a.md", kKey, Earlier::keep)->pages().at(2).status, PageStatus::ok);
}

TEST(Journal, SurvivesACutAnywhere) {
  TempDir dir;
  const auto pages = some_pages();
  {
    auto journal = Journal::open(dir / "a.md", kKey, Earlier::keep);
    for (const Page& page : pages) journal->add(page);
  }
  const fs::path file = dir / ".docspec/a.json";
  const std::string whole = read_file(file);
  size_t least = 5;
  for (size_t cut = whole.size(); cut > 0; cut -= std::min<size_t>(cut, 37)) {
    write_file(file, whole.substr(0, cut));
    auto journal = Journal::open(dir / "a.md", kKey, Earlier::keep);
    EXPECT_LE(journal->pages().size(), least);
    least = journal->pages().size();
    journal->add(pages[4]);  // goes on behind the torn line
    journal.reset();
    EXPECT_TRUE(Journal::open(dir / "a.md", kKey, Earlier::keep)->pages().contains(5)) << cut;
  }
}

TEST(Journal, AChangedByteCostsAtMostItsPage) {
  TempDir dir;
  const auto pages = some_pages();
  {
    auto journal = Journal::open(dir / "a.md", kKey, Earlier::keep);
    for (const Page& page : pages) journal->add(page);
  }
  const fs::path file = dir / ".docspec/a.json";
  const std::string whole = read_file(file);
  for (size_t at = 0; at < whole.size(); at += 1 + whole.size() / 200)
    for (const char byte : {'A', '"', '\n', char(whole[at] ^ 1)}) {
      std::string changed = whole;
      changed[at] = byte;
      write_file(file, changed);
      const auto journal = Journal::open(dir / "a.md", kKey, Earlier::keep);
      for (const auto& [number, page] : journal->pages())
        EXPECT_EQ(pack(page), pack(pages.at(size_t(number) - 1))) << at;
    }
}

TEST(Journal, AnyBytesAreAtWorstNoPages) {
  TempDir dir;
  fs::create_directory(dir / ".docspec");
  std::mt19937 rng(8);
  for (int i = 0; i < 300; ++i) {
    std::string bytes(rng() % 400, ' ');
    for (char& c : bytes) c = char(rng() % 3 ? "{}[]\":,\ndata"[rng() % 12] : rng());
    write_file(dir / ".docspec/a.json", bytes);
    EXPECT_TRUE(Journal::open(dir / "a.md", kKey, Earlier::keep)->pages().empty());
  }
}

TEST(Journal, LeavesNothingWithoutAPage) {
  TempDir dir;
  Journal::open(dir / "a.md", kKey, Earlier::keep);
  EXPECT_TRUE(fs::is_empty(dir.path()));
  auto journal = Journal::open(dir / "a.md", kKey, Earlier::keep);
  journal->add(some_pages()[0]);
  journal->discard();
  journal.reset();
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

TEST(Journal, ServesAllFormatsOfADocument) {
  TempDir dir;
  write_file(dir / "a.md", "text");
  write_file(dir / "a.json", "{}");
  {
    auto journal = Journal::open(dir / "a.md", kKey, Earlier::keep);
    journal->add(some_pages()[0]);
    journal->finish({dir / "a.md"});
  }
  {
    auto journal = Journal::open(dir / "a.json", kKey, Earlier::keep);
    EXPECT_EQ(journal->pages().size(), 1u);
    EXPECT_FALSE(journal->complete({dir / "a.json"}));
    journal->finish({dir / "a.json"});
  }
  EXPECT_TRUE(
      Journal::open(dir / "a.md", kKey, Earlier::keep)->complete({dir / "a.md", dir / "a.json"}));
}

TEST(Journal, APageThatCameAfterTheOutputIsNotInIt) {
  TempDir dir;
  write_file(dir / "a.md", "text");
  auto journal = Journal::open(dir / "a.md", kKey, Earlier::keep);
  journal->add(some_pages()[0]);
  journal->finish({dir / "a.md"});
  journal->add(some_pages()[1]);
  journal.reset();
  EXPECT_FALSE(Journal::open(dir / "a.md", kKey, Earlier::keep)->complete({dir / "a.md"}));
}

TEST(Journal, FollowsNoLink) {
  TempDir dir;
  fs::create_directories(dir / "one/.docspec");
  write_file(dir / "other", "not ours");
  fs::create_symlink(dir / "other", dir / "one/.docspec/a.json");
  EXPECT_THROW(Journal::open(dir / "one/a.md", kKey, Earlier::keep), Error);
  fs::create_directories(dir / "two");
  fs::create_directory_symlink(dir / "one", dir / "two/.docspec");
  EXPECT_THROW(Journal::open(dir / "two/b.md", kKey, Earlier::keep), Error);
  EXPECT_EQ(read_file(dir / "other"), "not ours");
}

TEST(Journal, ARunThatReadNothingLeavesWhatAnotherLeft) {
  TempDir dir;
  Journal::open(dir / "a.md", kKey, Earlier::keep)->add(some_pages()[0]);
  Journal::open(dir / "a.md", {"input", "other", "rendering"}, Earlier::keep)->discard();
  EXPECT_EQ(Journal::open(dir / "a.md", kKey, Earlier::keep)->pages().size(), 1u);
}

TEST(Journal, IsHeldByOneAtATime) {
  TempDir dir;
  auto first = Journal::open(dir / "a.md", kKey, Earlier::keep);
  EXPECT_FALSE(Journal::open(dir / "a.md", kKey, Earlier::keep));
  EXPECT_TRUE(Journal::open(dir / "b.md", kKey, Earlier::keep));
  first.reset();
  EXPECT_TRUE(Journal::open(dir / "a.md", kKey, Earlier::keep));
}

TEST(Journal, IsCompleteWhileTheOutputsAreThoseWritten) {
  TempDir dir;
  write_file(dir / "a.md", "text");
  {
    auto journal = Journal::open(dir / "a.md", kKey, Earlier::keep);
    journal->add(some_pages()[0]);
    journal->finish({dir / "a.md"});
  }
  const auto complete = [&](const JournalKey& key, const std::vector<fs::path>& outputs) {
    return Journal::open(dir / "a.md", key, Earlier::keep)->complete(outputs);
  };
  EXPECT_TRUE(complete(kKey, {dir / "a.md"}));
  EXPECT_FALSE(complete({"input", "reading", "other"}, {dir / "a.md"}));
  EXPECT_FALSE(complete(kKey, {dir / "a.md", dir / "a.json"}));
  write_file(dir / "a.md", "tex");
  EXPECT_FALSE(complete(kKey, {dir / "a.md"}));
}

}  // namespace
}  // namespace docspec::test
