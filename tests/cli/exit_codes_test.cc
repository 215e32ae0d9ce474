// One test for each exit code of docspec(1), through the real binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/command.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

const std::string kSamples = DOCSPEC_SOURCE_DIR "/share/samples/";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t files_in(const std::filesystem::path& folder) {
  return size_t(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// `count` pages of a sample, the page `broken` (from 1) without usable content.
void write_pdf_with_a_bad_page(const std::string& path) {
  // Page 2 of 2 asks for a raster of 14,400 x 14,400 points with an unreadable content stream.
  std::string pdf = "%PDF-1.4\n";
  std::vector<size_t> offsets;
  const auto object = [&](const std::string& body) {
    offsets.push_back(pdf.size());
    pdf += std::to_string(offsets.size()) + " 0 obj\n" + body + "\nendobj\n";
  };
  const std::string text = "BT /F1 24 Tf 72 700 Td (A page that can be read) Tj ET";
  const std::string junk = "this is no deflate stream at all";
  object("<< /Type /Catalog /Pages 2 0 R >>");
  object("<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>");
  object(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R "
      "/Resources << /Font << /F1 6 0 R >> >> >>");
  object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 7 0 R >>");
  object("<< /Length " + std::to_string(text.size()) + " >>\nstream\n" + text + "\nendstream");
  object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  object("<< /Filter /FlateDecode /Length " + std::to_string(junk.size()) + " >>\nstream\n" + junk +
         "\nendstream");
  const size_t table = pdf.size();
  pdf += "xref\n0 " + std::to_string(offsets.size() + 1) + "\n0000000000 65535 f \n";
  for (size_t offset : offsets) {
    std::string digits = std::to_string(offset);
    pdf += std::string(10 - digits.size(), '0') + digits + " 00000 n \n";
  }
  pdf += "trailer\n<< /Size " + std::to_string(offsets.size() + 1) +
         " /Root 1 0 R >>\nstartxref\n" + std::to_string(table) + "\n%%EOF\n";
  write_file(path, pdf);
}

TEST(ExitCodes, ZeroWhenAllPagesAreOk) {
  TempDir dir;
  const auto result = docspec({"convert", kSamples + "letter.pdf", "-o", dir / "out.md"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(contains(read_file(dir / "out.md"), "The Lighthouse at Grey Point"));
  EXPECT_TRUE(contains(result.err, "1 page: 1 ok, 0 fallback, 0 failed")) << result.err;
  EXPECT_TRUE(contains(result.err, "--model DIR")) << "the ways on: " << result.err;
}

TEST(ExitCodes, OneForUsage) {
  const auto typo = docspec({"convert", "--pagess", "3", "a.pdf"});
  EXPECT_EQ(typo.code, 1);
  EXPECT_TRUE(contains(typo.err, "did you mean --pages?")) << typo.err;
  const auto value = docspec({"convert", "--headers", "maybe", "a.pdf"});
  EXPECT_EQ(value.code, 1);
  EXPECT_TRUE(contains(value.err, "drop, keep, comment")) << value.err;
  const auto command = docspec({"convrt"});
  EXPECT_EQ(command.code, 1);
  EXPECT_TRUE(contains(command.err, "did you mean convert?")) << command.err;
  const auto nothing = docspec({});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_TRUE(contains(nothing.err, "docspec papers/ -o out/")) << "an example: " << nothing.err;
  const auto pages = docspec({"convert", kSamples + "letter.pdf", "--pages", "7-"});
  EXPECT_EQ(pages.code, 1);
  EXPECT_TRUE(contains(pages.err, "leaves nothing of 1 page")) << pages.err;
}

TEST(ExitCodes, OneForOptionsThatCannotBeMet) {
  for (const std::vector<std::string>& flag :
       std::vector<std::vector<std::string>>{{"--figures"},
                                             {"--overlay"},
                                             {"--prune", "fixation:keep=2"},
                                             {"--prune", "fixation:rows=some"},
                                             {"--temperature", "-1"},
                                             {"--verify", "block"},
                                             {"--verify", "exact", "--temperature", "1"},
                                             {"--memory", "6X"},
                                             {"--memory", "0"},
                                             {"--memory", "G"}}) {
    std::vector<std::string> arguments = {"convert", kSamples + "letter.pdf"};
    arguments.insert(arguments.end(), flag.begin(), flag.end());
    const auto result = docspec(arguments);
    EXPECT_EQ(result.code, 1) << flag[0];
    EXPECT_TRUE(contains(result.err, flag[0])) << result.err;
    EXPECT_EQ(result.out, "") << flag[0];
  }
}

TEST(ExitCodes, TwoForUnreadableInput) {
  TempDir dir;
  write_file(dir / "empty.pdf", "");
  write_file(dir / "text.pdf", "this is no PDF\n");
  write_file(dir / "cut.pdf", read_file(kSamples + "letter.pdf").substr(0, 300));
  for (const char* name : {"none.pdf", "empty.pdf", "text.pdf", "cut.pdf"}) {
    const auto result = docspec({"convert", dir / name, "-o", dir / "out.md"});
    EXPECT_EQ(result.code, 2) << name << ": " << result.err;
    EXPECT_TRUE(contains(result.err, name)) << result.err;
    EXPECT_FALSE(std::filesystem::exists(dir / "out.md")) << name;
  }
  EXPECT_EQ(files_in(dir.path()), 3u) << "nothing is left behind";
}

TEST(ExitCodes, ThreeWhenAPageFailedAndTheDocumentIsWritten) {
  TempDir dir;
  write_pdf_with_a_bad_page(dir / "two.pdf");
  const auto result = docspec({"convert", dir / "two.pdf", "-o", dir / "out.md"});
  EXPECT_EQ(result.code, 3) << result.err;
  const std::string text = read_file(dir / "out.md");
  EXPECT_TRUE(contains(text, "A page that can be read")) << text;
  EXPECT_TRUE(contains(text, "<!-- page 2: failed")) << text;
  EXPECT_TRUE(contains(result.err, "page 2")) << result.err;
  const auto strict = docspec({"convert", dir / "two.pdf", "-o", dir / "strict.md", "--strict"});
  EXPECT_EQ(strict.code, 3) << strict.err;
  EXPECT_FALSE(std::filesystem::exists(dir / "strict.md"));
}

TEST(ExitCodes, FourForAMissingModelOrLanguage) {
  TempDir dir;
  const auto model = docspec({"convert", kSamples + "letter.pdf", "--model", dir / "none"});
  EXPECT_EQ(model.code, 4) << model.err;
  EXPECT_TRUE(contains(model.err, "config.json") || contains(model.err, dir / "none")) << model.err;
  const auto language =
      docspec({"convert", kSamples + "scan.pdf", "--lang", "xyz", "-o", dir / "out.md"});
  EXPECT_EQ(language.code, 4) << language.err;
  EXPECT_TRUE(contains(language.err, "tesseract-ocr-xyz")) << language.err;
  EXPECT_EQ(files_in(dir.path()), 0u);
}

TEST(ExitCodes, FiveForUnwritableOutput) {
  TempDir dir;
  write_file(dir / "file", "x");
  for (const std::string& target :
       {std::string("/dev/full"), (dir / "file/out.md").string(), (dir / "none/out.md").string()}) {
    const auto result = docspec({"convert", kSamples + "letter.pdf", "-o", target});
    EXPECT_EQ(result.code, 5) << target << ": " << result.err;
    EXPECT_TRUE(contains(result.err, target)) << result.err;
  }
  EXPECT_EQ(files_in(dir.path()), 1u);
}

TEST(ExitCodes, SixForPasswords) {
  TempDir dir;
  const std::string locked = dir / "locked.pdf";
  ASSERT_EQ(run_program({"qpdf", "--encrypt", "open", "owner", "256", "--", kSamples + "letter.pdf",
                         locked})
                .code,
            0);
  const auto none = docspec({"convert", locked});
  EXPECT_EQ(none.code, 6) << none.err;
  EXPECT_TRUE(contains(none.err, "--password")) << none.err;
  EXPECT_EQ(docspec({"convert", locked, "--password", "wrong"}).code, 6);
  EXPECT_EQ(docspec({"convert", locked, "--password", "open"}).code, 0);
  write_file(dir / "secret", "open\n");
  EXPECT_EQ(docspec({"convert", locked, "--password-file", dir / "secret"}).code, 0);
}

TEST(ExitCodes, SevenWhenMemoryRunsOut) {
  if (kSanitized) GTEST_SKIP() << "an address space that is limited";
  TempDir dir;
  write_file(dir / "big.pdf", "%PDF-1.4\n");
  std::filesystem::resize_file(dir / "big.pdf", 2'100'000'000);  // sparse: no disk used
  const auto result =
      docspec({"convert", dir / "big.pdf", "-o", dir / "out.md"}, {.address_space_mb = 2000});
  EXPECT_EQ(result.code, 7) << result.err;
  EXPECT_TRUE(contains(result.err, "big.pdf: out of memory")) << result.err;
  EXPECT_EQ(files_in(dir.path()), 1u);
}

TEST(ExitCodes, EightForWhatNobodyForesaw) {
  if (kSanitized) GTEST_SKIP() << "an address space that is limited";
  CommandOptions limited;  // room for the program, not for the stacks of 200 threads
  limited.address_space_mb = 1000;
  const auto report = kSamples + "report.pdf";
  TempDir dir;
  std::vector<std::string> merge = {"qpdf", "--empty", "--pages"};
  for (int i = 0; i < 100; ++i) merge.insert(merge.end(), {report, "1-3"});
  merge.insert(merge.end(), {"--", dir / "long.pdf"});
  ASSERT_EQ(run_program(merge).code, 0);
  const auto result = docspec({"convert", dir / "long.pdf", "--jobs", "256"}, limited);
  EXPECT_EQ(result.code, 8) << result.err;
  EXPECT_TRUE(contains(result.err, "internal error")) << result.err;
}

TEST(ExitCodes, HundredAndThirtyWhenInterruptedKeepingFinishedPages) {
  TempDir dir;
  std::vector<std::string> merge = {"qpdf", "--empty", "--pages"};
  for (int i = 0; i < 30; ++i) merge.insert(merge.end(), {kSamples + "scan.pdf", "1"});
  merge.insert(merge.end(), {"--", dir / "long.pdf"});
  ASSERT_EQ(run_program(merge).code, 0);
  CommandOptions options;
  options.interrupt_after = "\"pages\":[2,30]";
  const auto result =
      docspec({"convert", dir / "long.pdf", "-o", dir / "out.md", "--progress", "json"}, options);
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_TRUE(contains(read_file(dir / "out.md"), "Grey Point")) << result.err;
}

}  // namespace
}  // namespace docspec::test
