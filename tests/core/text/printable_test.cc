#include "core/text/printable.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b]0;title\x07\x7f\rb", LineBreaks::keep),
            "a\\x1b]0;title\\x07\\x7f\\x0db");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J",
                      LineBreaks::keep),
            "\\xc2\\x9b2J")
      << "a control character of two bytes";
  EXPECT_EQ(printable("\x9b"
                      "2J\xff",
                      LineBreaks::keep),
            "\\x9b2J\\xff")
      << "no UTF-8";
  EXPECT_EQ(printable("\u202egpj.exe\u2066", LineBreaks::keep), "\\u{202e}gpj.exe\\u{2066}");
}

TEST(Printable, LeavesTextAsItIs) {
  EXPECT_EQ(printable("Übung, 日本\tא \\x1b\n", LineBreaks::keep), "Übung, 日本\tא \\x1b\n");
}

TEST(Printable, KeepsANameOnOneLine) {
  EXPECT_EQ(printable("a\ndocspec: b", LineBreaks::show), "a\\ndocspec: b");
}

}  // namespace
}  // namespace docspec
