#include "core/text/unicode.h"

#include <gtest/gtest.h>

#include <random>

#include "core/text/byte_map.h"

namespace docspec {
namespace {

TEST(Unicode, RepairGroupsBadBytesAsPythonDoes) {
  // bytes.decode("utf-8", "replace") of the same bytes.
  const std::pair<std::string, std::string> cases[] = {
      {"abc", "abc"},
      {"\x80", "\uFFFD"},
      {"\xF0\x9F\x98", "\uFFFD"},
      {"\xF0\x9F\x98z", "\uFFFDz"},
      {"\xE0\x80\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xC0\xAF", "\uFFFD\uFFFD"},
      {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"\xE6\x97\xA5\xE6\x97", "日\uFFFD"},
      {"\xFF\xFE", "\uFFFD\uFFFD"}};
  for (const auto& [bytes, text] : cases) EXPECT_EQ(repair_utf8(bytes), text);
}

TEST(Unicode, CodePointsGoInAndOutOfUtf8) {
  std::string text;
  for (const uint32_t c : {0x41u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFDu, 0x10000u, 0x10FFFFu}) {
    const size_t from = text.size();
    append_utf8(text, c);
    size_t at = from;
    EXPECT_EQ(next_code_point(text, at), c);
    EXPECT_EQ(at, text.size());
  }
  EXPECT_EQ(count_code_points(text), 8u);
  size_t at = 0;
  EXPECT_EQ(next_code_point("\xE6\x97z", at), 0xFFFDu);
  EXPECT_EQ(at, 2u);
}

TEST(Unicode, RepairIsIdempotentAndTailsAreShort) {
  std::mt19937 rng(3);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes;
    for (size_t n = rng() % 12; n > 0; --n)
      bytes += char(rng() % 4 ? 0x80 + rng() % 128 : rng() % 128);
    const std::string once = repair_utf8(bytes);
    EXPECT_EQ(repair_utf8(once), once);
    EXPECT_EQ(incomplete_tail(once), 0u);
    const size_t tail = incomplete_tail(bytes);
    ASSERT_LE(tail, std::min<size_t>(3, bytes.size()));
    EXPECT_EQ(repair_utf8(bytes), repair_utf8(bytes.substr(0, bytes.size() - tail)) +
                                      repair_utf8(bytes.substr(bytes.size() - tail)));
  }
  EXPECT_EQ(incomplete_tail("\xF0\x9F\x98"), 3u);
  EXPECT_EQ(incomplete_tail("a\xC3"), 1u);
  EXPECT_EQ(incomplete_tail("\xE0\x80"), 0u) << "can never become a character";
}

TEST(Unicode, NormalForms) {
  EXPECT_EQ(normalize_unicode("e\u0301", NormalForm::nfc), "\u00e9");
  EXPECT_EQ(normalize_unicode("\u00e9", NormalForm::nfd), "e\u0301");
  EXPECT_EQ(normalize_unicode("\ufb01", NormalForm::nfc), "\ufb01");
  EXPECT_EQ(normalize_unicode("\ufb01", NormalForm::nfkc), "fi");
  EXPECT_EQ(normalize_unicode(std::string("a\0é", 4), NormalForm::nfc).size(), 4u);
}

TEST(Unicode, MarksNewerThanTheReferencesTablesStayInPlace) {
  EXPECT_EQ(normalize_unicode("a\u0301\u0323", NormalForm::nfc), "\u1ea1\u0301")
      << "old: reordered";
  EXPECT_EQ(normalize_unicode("{\u08d1\u0301", NormalForm::nfc), "{\u08d1\u0301");
  EXPECT_EQ(normalize_unicode("{\u0301\u08d1", NormalForm::nfc), "{\u0301\u08d1");
  EXPECT_EQ(normalize_unicode("e\u0301\u08d1e\u0301", NormalForm::nfc), "\u00e9\u08d1\u00e9");
}

TEST(ByteMap, EveryByteHasItsOwnCharacter) {
  std::string all;
  for (int b = 0; b < 256; ++b) all += char(b);
  EXPECT_EQ(from_byte_characters(to_byte_characters(all)), all);
  EXPECT_EQ(to_byte_characters(" \n"), "ĠĊ");
  EXPECT_FALSE(from_byte_characters("日").has_value());
}

}  // namespace
}  // namespace docspec
