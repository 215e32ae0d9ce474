#include "tests/support/lying_layers.h"

#include <algorithm>
#include <cctype>

namespace docspec::test {
namespace {

using Words = std::vector<Word>;
using Rng = std::mt19937;

/// Applies `change` to the text of each word, or of one in `every`.
std::function<void(Words&, Rng&)> texts(std::function<void(std::string&, Rng&)> change,
                                        unsigned every = 1) {
  return [=](Words& words, Rng& rng) {
    for (Word& word : words)
      if (rng() % every == 0) change(word.text, rng);
  };
}

void each_letter(std::string& text, const std::function<std::string(char)>& letter) {
  std::string out;
  for (char c : text) out += letter(c);
  text = out;
}

bool is_letter(char c) {
  return std::isalpha(uint8_t(c)) != 0;
}

void wrong_letters(std::string& text, Rng& rng) {
  for (char& c : text)
    if (rng() % 33 == 0) c = char('a' + rng() % 26);
}

}  // namespace

std::vector<LyingLayer> lying_layers() {
  const auto moved = [](int dx, int dy) {
    return [=](Words& words, Rng&) {
      for (Word& word : words)
        word.box = {word.box.x0 + dx, word.box.y0 + dy, word.box.x1 + dx, word.box.y1 + dy};
    };
  };
  return {
      {"a digit wrong in each number", texts([](std::string& text, Rng&) {
         for (char& c : text)
           if (std::isdigit(uint8_t(c))) {
             c = c == '9' ? '0' : char(c + 1);
             return;
           }
       })},
      {"one word in twenty another", texts([](std::string& text, Rng&) { text = "granite"; }, 20)},
      {"words backwards",
       texts([](std::string& text, Rng&) { std::reverse(text.begin(), text.end()); })},
      {"another language", texts([](std::string& text, Rng& rng) {
         static const char* const kWords[] = {"der", "Hafen", "wurde", "gebaut", "und", "Stein"};
         text = kWords[rng() % 6];
       })},
      {"codes of no character", texts([](std::string& text, Rng&) {
         each_letter(text,
                     [](char c) { return is_letter(c) ? "\xEE\x80\x81" : std::string(1, c); });
       })},
      {"U+FFFD in one word of three",
       texts([](std::string& text, Rng&) { text = "\xEF\xBF\xBD" + text.substr(1); }, 3)},
      {"a font map shifted by three letters", texts([](std::string& text, Rng&) {
         each_letter(text, [](char c) {
           return std::string(1, is_letter(c) ? char('a' + (c - 'a' + 3) % 26) : c);
         });
       })},
      {"the same in one font of two",
       [](Words& words, Rng&) {
         for (Word& word : words) {
           if (word.box.y0 / 100 % 3 > 0) continue;
           word.font = "Subset";
           each_letter(word.text, [](char c) {
             return std::string(1, is_letter(c) ? char('a' + (c - 'a' + 3) % 26) : c);
           });
         }
       }},
      {"Cyrillic letters for Latin ones", texts([](std::string& text, Rng&) {
         each_letter(text, [](char c) {
           return c == 'a' ? "\xD0\xB0" : c == 'e' ? "\xD0\xB5" : std::string(1, c);
         });
       })},
      {"each letter twice", texts([](std::string& text, Rng&) {
         each_letter(text, [](char c) { return std::string(2, c); });
       })},
      {"each word twice, one pixel apart",
       [](Words& words, Rng&) {
         const size_t count = words.size();
         for (size_t i = 0; i < count; ++i) {
           words.push_back(words[i]);
           ++words.back().box.x0, ++words.back().box.x1;
         }
       }},
      {"OCR's words in OCR's font",
       [](Words& words, Rng& rng) {
         for (Word& word : words) {
           wrong_letters(word.text, rng);
           word.font = "GlyphLessFont";
         }
       }},
      {"OCR's words in a usual font", texts(wrong_letters)},
      {"O for 0 and l for 1", texts([](std::string& text, Rng&) {
         std::replace(text.begin(), text.end(), '0', 'O');
         std::replace(text.begin(), text.end(), '1', 'l');
       })},
      {"shifted by five points", moved(10, 10)},
      {"shifted by a hundred points", moved(0, 200)},
      {"turned by a right angle",
       [](Words& words, Rng&) {
         for (Word& word : words) {
           word.quarter_turns = 1;
           word.box = {word.box.y0, word.box.x0, word.box.y1, word.box.x1};
         }
       }},
      {"upside down",
       [](Words& words, Rng&) {
         for (Word& word : words)
           word.box = {1224 - word.box.x1, 1584 - word.box.y1, 1224 - word.box.x0,
                       1584 - word.box.y0};
       }},
      {"cut off after half of the words",
       [](Words& words, Rng&) { words.resize(words.size() / 2); }},
      {"one word in five missing",
       [](Words& words, Rng& rng) {
         std::erase_if(words, [&](const Word&) { return rng() % 5 == 0; });
       }},
      {"the whole book on page one",
       [](Words& words, Rng& rng) {
         const Words page = words;
         for (int i = 0; i < 20; ++i)
           for (Word word : page) {
             word.text = page[rng() % page.size()].text;
             words.push_back(word);
           }
       }},
      {"orders to a model between the lines, without ink",
       [](Words& words, Rng& rng) {
         const size_t count = words.size();
         for (size_t i = 0; i < count; ++i)
           if (rng() % 4 == 0) {
             Word word = words[i];
             word.text = "ignore";
             word.box.y0 = word.box.y1 + 1;
             word.box.y1 = word.box.y0 + 5;
             words.push_back(word);
           }
       }},
      {"single letters",
       [](Words& words, Rng&) {
         Words out;
         for (const Word& word : words)
           for (size_t i = 0; i < word.text.size(); ++i) {
             const int x = word.box.x0 + int(i) * word.box.width() / int(word.text.size());
             out.push_back(
                 {word.text.substr(i, 1),
                  {x, word.box.y0, x + word.box.width() / int(word.text.size()), word.box.y1}});
           }
         words = out;
       }},
      {"words run together",
       [](Words& words, Rng&) {
         Words out;
         for (const Word& word : words)
           if (!out.empty() && out.back().box.y0 == word.box.y0 && out.size() % 3) {
             out.back().text += word.text;
             out.back().box.x1 = word.box.x1;
           } else {
             out.push_back(word);
           }
         words = out;
       }},
      {"in any order",
       [](Words& words, Rng& rng) { std::shuffle(words.begin(), words.end(), rng); }},
      {"soft hyphens in words", texts([](std::string& text, Rng&) {
         if (text.size() > 4) text.insert(2, "\xC2\xAD");
       })},
      {"ten thousand words more",
       [](Words& words, Rng& rng) {
         for (int i = 0; i < 10'000; ++i) {
           const int x = int(rng() % 1100), y = int(rng() % 1500);
           words.push_back({"glyph", {x, y, x + 60, y + 20}});
         }
       }},
  };
}

}  // namespace docspec::test
