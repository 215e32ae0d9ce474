#include "core/model/prompt_set.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_file.h"

namespace docspec {
namespace {

using nlohmann::json;

json family() {
  return {{"image_token", "<p>"},
          {"image", "<v><p></v>"},
          {"chat", "user: {image}{question}\nmodel:"},
          {"stop", {"<end>"}},
          {"dialect", "markdown"},
          {"questions", {{"page", "Read."}, {"table", "Table?"}}}};
}

TEST(PromptSet, WritesTheChatToTheByte) {
  const PromptSet prompts(family(), nullptr, "f.json");
  EXPECT_EQ(prompts.chat(true, "Read."), "user: <v><p></v>Read.\nmodel:");
  EXPECT_EQ(prompts.chat(false, "Read."), "user: Read.\nmodel:");
  EXPECT_EQ(prompts.question("table"), "Table?");
  EXPECT_EQ(prompts.image_token(), "<p>");
  EXPECT_EQ(prompts.dialect(), "markdown");
  EXPECT_EQ(prompts.stop(), std::vector<std::string>{"<end>"});
}

TEST(PromptSet, LeavesMarksInsideAQuestionAlone) {
  for (const char* chat : {"{image}{question}", "{question}{image}"}) {
    json reordered = family();
    reordered["chat"] = chat;
    const std::string out =
        PromptSet(reordered, nullptr, "f.json").chat(true, "a {image} {question}");
    EXPECT_NE(out.find("a {image} {question}"), std::string::npos) << out;
    EXPECT_NE(out.find("<v><p></v>"), std::string::npos) << out;
  }
}

TEST(PromptSet, AModelsOwnFileOverridesKeyByKey) {
  const PromptSet prompts(family(), {{"dialect", "html"}, {"questions", {{"page", "Go."}}}},
                          "f.json");
  EXPECT_EQ(prompts.dialect(), "html");
  EXPECT_EQ(prompts.question("page"), "Go.");
  EXPECT_EQ(prompts.question("table"), "Table?");
}

TEST(PromptSet, NamesFileAndKeyOfWhatIsWrong) {
  const auto said = [](const json& content) -> std::string {
    try {
      PromptSet(content, nullptr, "f.json");
      return "";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::dependency);
      return e.what();
    }
  };
  EXPECT_EQ(said(family()), "");
  for (const char* key : {"image_token", "image", "chat", "stop", "dialect", "questions"}) {
    json without = family(), other = family();
    without.erase(key);
    other[key] = 7;
    for (const std::string& message : {said(without), said(other)})
      EXPECT_NE(message.find("f.json: key '" + std::string(key) + "'"), std::string::npos)
          << message;
  }
  for (const char* key : {"text_px", "longest_px", "markup"}) {
    json other = family();
    other[key] = -7;
    EXPECT_NE(said(other).find(key), std::string::npos) << key;
  }
  const std::pair<json, const char*> wrong[] = {
      {{{"chatt", "x"}}, "key 'chatt' is unknown (did you mean chat?); there are: "},
      {{{"questions", {{"pagee", "x"}}}},
       "questions: stage 'pagee' is unknown (did you mean page?)"},
      {{{"questions", {{"pages", "x"}}}}, "page_mark belongs to a question 'pages'"},
      {{{"page_mark", "<PAGE>"}}, "page_mark belongs to a question 'pages'"},
      {{{"image", "<v></v>"}}, "image lacks the image_token <p>"},
      {{{"dpi", 3}}, "dpi is not from 20 to 1200"},
      {{{"min_pixels", 0}}, "min_pixels 0 is not from 1 to 1000000000"},
      {{{"min_pixels", 9}, {"max_pixels", 8}}, "max_pixels is below min_pixels"},
      {{{"questions", {{"layout", "x"}}}},
       "layout_px, up to 10000, belongs to a question 'layout'"},
      {{{"layout_px", 8}}, "layout_px, up to 10000, belongs to a question 'layout'"}};
  for (const auto& [change, expected] : wrong) {
    json other = family();
    other.merge_patch(change);
    EXPECT_NE(said(other).find("f.json: " + std::string(expected)), std::string::npos)
        << said(other);
  }
  json no_image = family();
  no_image["chat"] = "{question}";
  EXPECT_NE(said(no_image).find("{image}"), std::string::npos);
  EXPECT_THROW(PromptSet(family(), nullptr, "f.json").question("formula"), Error);
}

TEST(PromptSet, AModelForRegionsIsAskedForNoPage) {
  const auto read = [](const char* name) {
    const std::string file = std::string(DOCSPEC_SOURCE_DIR "/share/families/") + name;
    return PromptSet(read_json(file), nullptr, file);
  };
  for (const char* name :
       {"paddleocr_vl.json", "glm_ocr.json", "mineru2_5.json", "dolphin_v2.json"})
    EXPECT_FALSE(read(name).asks("page")) << name;
  EXPECT_EQ(read("mineru2_5.json").layout_px(), 1036);
  EXPECT_EQ(read("mineru2_5.json").question("layout"), "\nLayout Detection:");
  EXPECT_EQ(read("infinity_parser_7b.json").max_pixels(), 2304 * 28 * 28);
  EXPECT_EQ(read("paddleocr_vl.json").chat(true, "OCR:"),
            "<|begin_of_sentence|>User: <|IMAGE_START|><|IMAGE_PLACEHOLDER|><|IMAGE_END|>OCR:\n"
            "Assistant:\n");
  EXPECT_EQ(read("glm_ocr.json").chat(true, "Text Recognition:"),
            "[gMASK]<sop><|user|>\n<|begin_of_image|><|image|><|end_of_image|>Text Recognition:"
            "<|assistant|>\n");
}

TEST(PromptSet, TheShippedFamiliesAreWhole) {
  const PromptSet qwen(read_json(DOCSPEC_SOURCE_DIR "/share/families/qwen2_5_vl.json"), nullptr,
                       "qwen2_5_vl.json");
  for (const char* stage : {"page", "text", "table", "formula"})
    EXPECT_FALSE(qwen.question(stage).empty()) << stage;
  EXPECT_EQ(qwen.chat(true, "Q"),
            "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n"
            "<|vision_start|><|image_pad|><|vision_end|>Q<|im_end|>\n<|im_start|>assistant\n");
  const PromptSet dots(read_json(DOCSPEC_SOURCE_DIR "/share/families/dots_ocr.json"), nullptr,
                       "dots_ocr.json");
  for (const char* stage : {"page", "text", "table", "formula"})
    EXPECT_FALSE(dots.question(stage).empty()) << stage;
  EXPECT_EQ(dots.chat(true, "Q"),
            "<|user|><|img|><|imgpad|><|endofimg|>Q<|endofuser|><|assistant|>");
  EXPECT_EQ(dots.question("page").size(), 888u) << "prompts.py, to the byte";
  const PromptSet olmocr(read_json(DOCSPEC_SOURCE_DIR "/share/families/olmocr.json"), nullptr,
                         "olmocr.json");
  EXPECT_EQ(olmocr.longest_px(), 1288);
  EXPECT_EQ(dots.longest_px(), 0);
}

TEST(PromptSet, Qwen35sAnswersBeginAfterAnEmptyThought) {
  for (const char* family : {"qwen3_5", "ovis_ocr2", "lighton_ocr3", "chandra2"}) {
    const std::string file = std::string(family) + ".json";
    const PromptSet prompts(read_json(DOCSPEC_SOURCE_DIR "/share/families/" + file), nullptr, file);
    EXPECT_EQ(prompts.chat(true, "Q"),
              "<|im_start|>user\n<|vision_start|><|image_pad|><|vision_end|>Q<|im_end|>\n"
              "<|im_start|>assistant\n<think>\n\n</think>\n\n");
  }
}

TEST(PromptSet, PlainChatsBeginWithTheirFirstToken) {
  for (const char* family : {"deepseek_ocr2", "deepseek_vl_v2"}) {
    const std::string file = std::string(family) + ".json";
    const PromptSet prompts(read_json(DOCSPEC_SOURCE_DIR "/share/families/" + file), nullptr, file);
    EXPECT_EQ(prompts.chat(true, "Free OCR."), "<｜begin▁of▁sentence｜><image>\nFree OCR.");
    EXPECT_EQ(prompts.question("page"), "<|grounding|>Convert the document to markdown.");
    EXPECT_EQ(prompts.markup().at(2), "<|det|>");
  }
  const PromptSet unlimited(read_json(DOCSPEC_SOURCE_DIR "/share/families/unlimited_ocr.json"),
                            nullptr, "unlimited_ocr.json");
  EXPECT_EQ(unlimited.chat(true, unlimited.question("page")),
            "<｜begin▁of▁sentence｜><image>document parsing.");
  EXPECT_EQ(unlimited.no_repeat_ngram_size(), 35);
  EXPECT_EQ(unlimited.no_repeat_ngram_window_size(), 128);
  const PromptSet hunyuan(read_json(DOCSPEC_SOURCE_DIR "/share/families/hunyuan_vl.json"), nullptr,
                          "hunyuan_vl.json");
  EXPECT_EQ(hunyuan.chat(true, "Q"),
            "<｜hy_begin▁of▁sentence｜><｜hy_place▁holder▁no▁3｜><｜hy_place▁holder▁no▁100｜>"
            "<｜hy_place▁holder▁no▁102｜><｜hy_place▁holder▁no▁101｜>Q<｜hy_User｜>");
  EXPECT_TRUE(hunyuan.markup().empty());
}

}  // namespace
}  // namespace docspec
