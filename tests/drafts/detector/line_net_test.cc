// The layout net against Python's numbers (share/models/layout/train/fixture.py).
#include "drafts/detector/line_net.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "drafts/detector/line_features.h"
#include "drafts/regions/line_layout.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

const std::string kNet = DOCSPEC_SOURCE_DIR "/share/models/layout";

struct Fixture {
  nlohmann::json json =
      nlohmann::json::parse(test::read_file(DOCSPEC_SOURCE_DIR "/tests/data/layout/lines.json"));
  std::vector<Word> words;
  std::vector<TextLine> lines;

  Fixture() {
    for (const auto& given : json["lines"]) {
      TextLine line;
      line.box = {given["box"][0], given["box"][1], given["box"][2], given["box"][3]};
      line.size_px = given["size"];
      line.bold = given["bold"];
      line.mono = given["mono"];
      line.rough_size = given["rough"];
      std::istringstream text(given["text"].get<std::string>());
      int x = line.box.x0;
      for (std::string word; text >> word; x += 12) {
        line.words.push_back(int(words.size()));
        words.push_back({word, {x, line.box.y0, x + 10, line.box.y1}});
      }
      lines.push_back(line);
    }
  }
  int width() const { return json["width"]; }
  int height() const { return json["height"]; }
  double body() const { return json["body"]; }

  PageImage image() const {
    PageImage image(1, width(), height(), 72);
    for (int y = 0; y < height(); ++y)
      for (int x = 0; x < width(); ++x)
        std::fill_n(image.row(y) + x * 3, 3, uint8_t((x * 7 + y * 13) % 256));
    return image;
  }
};

TEST(LineFeatures, EqualPythons) {
  const Fixture fixture;
  const auto features = line_features(fixture.lines, fixture.words, fixture.body(), fixture.width(),
                                      fixture.height());
  ASSERT_EQ(features.size(), fixture.json["features"].size());
  for (size_t i = 0; i < features.size(); ++i)
    for (size_t k = 0; k < kLineFeatures; ++k)
      EXPECT_NEAR(features[i][k], fixture.json["features"][i][k].get<float>(), 2e-5)
          << "line " << i << " feature " << k;
}

TEST(LineNet, ScoresEqualPythons) {
  const Fixture fixture;
  const PageImage image = fixture.image();
  PageInput page{1, fixture.width(), fixture.height(), 72, &image, {}, {}, {}};
  page.words = fixture.words;
  const auto scores = make_line_net(kNet)->scores(page, fixture.lines, fixture.body());
  ASSERT_EQ(scores.size(), fixture.lines.size());
  for (size_t i = 0; i < scores.size(); ++i)
    for (size_t k = 0; k < scores[i].size(); ++k)
      EXPECT_NEAR(scores[i][k], fixture.json["scores"][i][k].get<float>(), 2e-3)
          << "line " << i << " category " << k;
}

TEST(LineNet, OtherCheckpointsAreRefused) {
  const test::TempDir dir;
  EXPECT_THROW(make_line_net(dir.path() / "none"), Error);
  EXPECT_THROW(make_line_net(test::oracle_folder("qwen2_5_vl/nested/model")), Error);
}

}  // namespace
}  // namespace docspec
