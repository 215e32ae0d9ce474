// The JSON that docspec writes, checked against the schemas it ships.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// What is wrong with `json`, "" when it fits the schema.
std::string faults(const std::string& schema_name, const Json& json) {
  const Json text = Json::parse(read_file(DOCSPEC_SOURCE_DIR "/share/schema/" + schema_name));
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(Adapter(text), schema);
  valijson::ValidationResults results;
  valijson::Validator validator;
  std::string out;
  if (validator.validate(schema, Adapter(json), &results)) return out;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& step : error.context) out += step;
    out += ": " + error.description + "\n";
  }
  return out.empty() ? "not valid" : out;
}

Json converted(const std::string& sample, const std::vector<std::string>& options = {}) {
  std::vector<std::string> command = {
      "convert", DOCSPEC_SOURCE_DIR "/share/samples/" + sample + ".pdf", "--model", "none", "-t",
      "json"};
  command.insert(command.end(), options.begin(), options.end());
  const auto result = docspec(command);
  EXPECT_EQ(result.code, 0) << result.err;
  return Json::parse(result.out, nullptr, false);
}

TEST(JsonSchema, EverySampleFits) {
  for (const char* sample : {"letter", "report", "paper", "invoice", "scan", "mixed"})
    EXPECT_EQ(faults("docspec-1.schema.json", converted(sample)), "") << sample;
}

TEST(JsonSchema, FiguresAndDraftsFitToo) {
  const TempDir dir;
  const std::string out = (dir / "paper.json").string();
  ASSERT_EQ(docspec({"convert", DOCSPEC_SOURCE_DIR "/share/samples/paper.pdf", "--model", "none",
                     "--figures", "--overlay", "-o", out})
                .code,
            0);
  EXPECT_EQ(faults("docspec-1.schema.json", Json::parse(read_file(out))), "");
  EXPECT_TRUE(read_file(dir / "paper.files/page-1.png").starts_with("\x89PNG"));
  const std::string drafts = (dir / "drafts.json").string();
  ASSERT_EQ(docspec({"draft", DOCSPEC_SOURCE_DIR "/share/samples/report.pdf", "-o", drafts}).code,
            0);
  EXPECT_EQ(faults("docspec-drafts-1.schema.json", Json::parse(read_file(drafts))), "");
}

TEST(JsonSchema, TheSchemaSaysNoToWhatIsMissingOrWrong) {
  const Json good = converted("letter");
  Json missing = good;
  missing["pages"][0].erase("status");
  Json wrong = good;
  wrong["pages"][0]["blocks"][0]["category"] = "Poem";
  Json extra = good;
  extra["pages"][0]["blocks"][0]["surprise"] = 1;
  for (const Json& bad : {missing, wrong, extra})
    EXPECT_NE(faults("docspec-1.schema.json", bad), "");
}

TEST(JsonSchema, OffsetsPointAtTheBlocksInTheMarkdown) {
  const std::string pdf = DOCSPEC_SOURCE_DIR "/share/samples/report.pdf";
  const std::string markdown = docspec({"convert", pdf, "--model", "none"}).out;
  const Json report = converted("report");
  size_t checked = 0;
  for (const Json& page : report["pages"])
    for (const Json& block : page["blocks"]) {
      if (!block.contains("markdown") || block["category"] != "Text") continue;
      const size_t from = block["markdown"][0], to = block["markdown"][1];
      ASSERT_LE(to, markdown.size());
      const std::string text = block["text"];
      EXPECT_EQ(markdown.substr(from, std::min<size_t>(10, to - from)), text.substr(0, 10));
      ++checked;
    }
  EXPECT_GT(checked, 3u);
}

}  // namespace
}  // namespace docspec::test
