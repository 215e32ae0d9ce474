// Files that a run must leave alone, through the real binary.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/pdf_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;

const std::string kSamples = DOCSPEC_SOURCE_DIR "/share/samples/";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string pages_of_text(int count) {
  std::vector<PdfPage> pages(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    pages[size_t(i)].lines.push_back({72, 700, "This is page " + std::to_string(i + 1) + " of it"});
  return make_pdf(pages);
}

TEST(Figures, OfADocumentWithABlankInItsNameAreFound) {
  PdfPage page;
  page.lines.push_back({72, 700, "A text above a picture that goes on for a whole line of it"});
  page.drawing = "0.2 0.4 0.6 rg 200 120 200 150 re f 0 g";
  const TempDir dir;
  write_file(dir / "a b.pdf", make_pdf({page}));
  const auto result = docspec({"convert", (dir / "a b.pdf").string(), "-o",
                               (dir / "x y.md").string(), "--figures", "--model", "none"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(read_file(dir / "x y.md"), "](x%20y.files/page-1-figure-1.png)"))
      << read_file(dir / "x y.md");
  EXPECT_TRUE(fs::exists(dir / "x y.files/page-1-figure-1.png"));
}

/// a.pdf under several names, and other documents.
class Outputs : public testing::Test {
 protected:
  Outputs() {
    fs::copy(kSamples + "letter.pdf", dir / "a.pdf");
    fs::create_hard_link(dir / "a.pdf", dir / "hard");
    fs::create_symlink("a.pdf", dir / "link.md");
    fs::copy(kSamples + "invoice.pdf", dir / "other.pdf");
    fs::create_directory(dir / "sub");
  }

  void refuses(std::vector<std::string> arguments) {
    arguments.push_back("--force");
    if (arguments[0] != "convert") arguments.pop_back();
    const auto result = docspec(arguments);
    EXPECT_EQ(result.code, 1) << arguments[2] << arguments.back() << ": " << result.err;
    EXPECT_EQ(read_file(dir / "a.pdf"), read_file(kSamples + "letter.pdf"));
    EXPECT_EQ(read_file(dir / "other.pdf"), read_file(kSamples + "invoice.pdf"));
    EXPECT_FALSE(fs::exists(dir / ".docspec"));
    fs::remove_all(dir / ".docspec");
  }

  TempDir dir;
};

TEST_F(Outputs, ReplaceNoInputByAnyName) {
  const std::string in = dir / "a.pdf";
  for (const fs::path& output :
       {dir / "a.pdf", dir / "hard", dir / "link.md", dir / "sub/../a.pdf"})
    refuses({"convert", in, "-o", output});
  refuses({"convert", in, "-o", in, "-t", "md,json"});
  for (const char* flag : {"--stats", "--trace", "--explain", "--bench-out"})
    refuses({"convert", in, "-o", dir / "out.md", "--model", "builtin", flag, dir / "hard"});
  refuses({"draft", in, "-o", dir / "hard"});
  refuses({"draft", in, "-o", in});
}

TEST_F(Outputs, ReplaceNoPdfOrImageAndNoOtherInputOfABatch) {
  refuses({"convert", dir / "a.pdf", "-o", dir / "other.pdf"});
  refuses({"convert", dir / "a.pdf", "-o", dir / "new.PDF"});
  fs::copy(kSamples + "invoice.pdf", dir / "unnamed");
  refuses({"convert", dir / "a.pdf", "-o", dir / "unnamed"});
  EXPECT_EQ(read_file(dir / "unnamed"), read_file(kSamples + "invoice.pdf"));
  // In a batch out/a.md is the second input by another name.
  fs::create_directory(dir / "out");
  fs::create_hard_link(dir / "other.pdf", dir / "out/a.md");
  refuses({"convert", dir / "a.pdf", dir / "other.pdf", "-o", dir / "out"});
  const auto image = docspec({"convert", dir / "a.pdf", "-o", dir / "new.md", "--overlay"});
  ASSERT_EQ(image.code, 0) << image.err;
  fs::remove_all(dir / ".docspec");
  refuses({"convert", dir / "new.files/page-1.png", "-o", dir / "new.md", "--overlay"});
}

TEST_F(Outputs, ReplaceNoFileThatAnOptionReads) {
  const std::string drafts = dir / "drafts.json";
  ASSERT_EQ(docspec({"draft", dir / "a.pdf", "-o", drafts}).code, 0);
  const std::string before = read_file(drafts);
  refuses({"convert", dir / "a.pdf", "--draft", "replay:" + drafts, "-o", drafts});
  EXPECT_EQ(read_file(drafts), before);
  write_file(dir / "text.md", "words");
  EXPECT_EQ(docspec({"store", "build", dir / "text.md", "-o", dir / "text.md"}).code, 1);
  EXPECT_EQ(read_file(dir / "text.md"), "words");
}

TEST_F(Outputs, OfABatchReplaceLinksAndNotWhatTheyLeadTo) {
  write_file(dir / "mine.md", "mine");
  fs::create_directory(dir / "out");
  fs::create_symlink(dir / "mine.md", dir / "out/a.md");
  EXPECT_EQ(docspec({"convert", dir / "a.pdf", "-o", (dir / "out/").string()}).code, 0);
  EXPECT_EQ(read_file(dir / "mine.md"), "mine");
  EXPECT_TRUE(contains(read_file(dir / "out/a.md"), "Grey Point"));
}

TEST_F(Outputs, OfAnInterruptedRunNeverReplaceACompleteOne) {
  write_file(dir / "long.pdf", pages_of_text(200));
  std::vector<std::string> convert = {"convert",      dir / "long.pdf", "-o",
                                      dir / "out.md", "--progress",     "json"};
  ASSERT_EQ(docspec(convert).code, 0);
  const std::string whole = read_file(dir / "out.md");
  convert.insert(convert.end(), {"--dpi", "150"});
  CommandOptions options;
  options.interrupt_after = "\"pages\":[3,200]";
  const auto cut = docspec(convert, options);
  EXPECT_EQ(cut.code, 130) << cut.err;
  EXPECT_EQ(read_file(dir / "out.md"), whole);
  EXPECT_TRUE(contains(cut.err, "out.md: stays as it was")) << cut.err;
  const auto rest = docspec(convert);
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_TRUE(contains(rest.err, "of an earlier run")) << rest.err;
}

TEST_F(Outputs, InOtherFormatsAreWrittenOfThePagesThatAreRead) {
  const auto convert = [&](const std::string& name) {
    return docspec({"convert", kSamples + "report.pdf", "-o", dir / name});
  };
  ASSERT_EQ(convert("r.md").code, 0);
  for (const char* name : {"r.json", "r.html", "r.md"}) {
    const auto again = convert(name);
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_TRUE(contains(again.err, "3 of an earlier run")) << name << again.err;
  }
  EXPECT_EQ(nlohmann::json::parse(read_file(dir / "r.json")).at("pages").size(), 3u);
  EXPECT_TRUE(contains(read_file(dir / "r.html"), "data:image/")) << "the viewer's pictures";
}

TEST_F(Outputs, OfAModelInOtherFormatsNeedNoModel) {
  const auto convert = [&](const std::string& name) {
    return docspec({"convert", kSamples + "letter.pdf", "--model", "builtin", "-o", dir / name,
                    "--stats", dir / "stats"});
  };
  ASSERT_EQ(convert("l.md").code, 0);
  EXPECT_FALSE(nlohmann::json::parse(read_file(dir / "stats")).at("decode").is_null());
  const auto viewer = convert("l.htm");
  EXPECT_EQ(viewer.code, 0) << viewer.err;
  EXPECT_TRUE(contains(viewer.err, "1 of an earlier run")) << viewer.err;
  EXPECT_TRUE(contains(read_file(dir / "l.htm"), "data:image/"));
}

TEST_F(Outputs, AreNotNamedByAConfigurationThatLiesInTheFolder) {
  CommandOptions here;
  here.working_folder = dir.path();
  fs::create_directory(dir / "evil");
  const std::pair<const char*, const char*> lines[] = {
      {"output", "out.md"}, {"o", "out.md"},         {"stats", "s.json"},
      {"model", "evil"},    {"draft", "model:evil"}, {"draft", "replay:other.pdf"},
      {"trace", "t"},       {"password-file", "p"},  {"inputs", "other.pdf"}};
  for (const auto& [key, value] : lines) {
    write_file(dir / "docspec.toml", std::string("[convert]\n") + key + " = \"" + value + "\"\n");
    const auto result = docspec({"convert", "a.pdf"}, here);
    EXPECT_EQ(result.code, 1) << key << " = " << value << ": " << result.err;
    EXPECT_TRUE(contains(result.err, "docspec.toml") || contains(result.err, "inputs"))
        << result.err;
    EXPECT_FALSE(fs::exists(dir / "out.md") || fs::exists(dir / "s.json"));
  }
  write_file(dir / "docspec.toml", "[convert]\noutput = \"out.md\"\n");
  EXPECT_EQ(docspec({"convert", "a.pdf", "--config", "docspec.toml"}, here).code, 0)
      << "the user's own word";
  EXPECT_TRUE(fs::exists(dir / "out.md"));
  write_file(dir / "docspec.toml", "[convert]\nlang = \"eng\"\nmodel = \"none\"\nquiet = true\n");
  const auto told = docspec({"convert", "a.pdf"}, here);
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_EQ(told.err, "docspec: docspec.toml in this folder sets lang, model, quiet\n");
}

}  // namespace
}  // namespace docspec::test
