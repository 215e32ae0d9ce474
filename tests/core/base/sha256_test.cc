#include "core/base/sha256.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/base/error.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, OfAFileEqualsThatOfItsBytes) {
  test::TempDir dir;
  const std::string bytes(3'000'001, 'x');
  std::ofstream(dir / "f", std::ios::binary) << bytes;
  EXPECT_EQ(sha256_hex_of_file(dir / "f"), sha256_hex(bytes));
  EXPECT_THROW(sha256_hex_of_file(dir / "none"), Error);
}

}  // namespace
}  // namespace docspec
