#include "cli/output_guard.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

TEST(TakenNames, AreTakenOnce) {
  TakenNames taken;
  EXPECT_EQ(taken.take("/nowhere/a.md", "one.pdf"), std::nullopt);
  EXPECT_EQ(taken.take("/nowhere/b.md", "two.pdf"), std::nullopt);
  EXPECT_EQ(taken.take("/nowhere/a.md", "three.pdf"), "one.pdf");
}

// Folders without case are tried by tests/faults (table of outputs).
TEST(TakenNames, DifferByCaseWhereTheFolderTellsThemApart) {
  const test::TempDir dir;
  TakenNames taken;
  EXPECT_EQ(taken.take(dir / "é.md", "one.pdf"), std::nullopt);
  EXPECT_EQ(taken.take(dir / "É.md", "two.pdf"), std::nullopt);
  EXPECT_EQ(taken.take(dir / "e\u0301.md", "three.pdf"), std::nullopt);
  EXPECT_EQ(taken.take(dir / "É.md", "four.pdf"), "two.pdf");
  EXPECT_TRUE(std::filesystem::is_empty(dir.path())) << "what asked is gone";
}

}  // namespace
}  // namespace docspec
