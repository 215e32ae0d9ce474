#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/letters/block_letters.h"
#include "core/letters/reconcile.h"
#include "core/letters/words/word_check.h"

namespace docspec {

/// Decides whose letters stand where the blocks of a page differ from its text layer. Each font of
/// the layer is tried for itself: by OCR of a sample of its words, and by how many of its words
/// the model has written just so. Codes of one font may be shifted while all others are right.
class LayerCheck {
 public:
  /// Both outlive the check. The blocks know their differences.
  LayerCheck(const PageSources& sources, std::vector<BlockLetters>& blocks);

  void decide(LetterRule rule);

 private:
  struct Evidence : FontCount {
    size_t page = 0, model = 0, unlike = 0;  ///< verdicts of OCR

    void add(Verdict verdict);
    bool contradicted() const { return model > 0 || 4 * unlike > page; }
    bool believed() const;
  };

  std::vector<Difference*> sample() const;
  std::vector<Difference*> refused() const;
  void check(std::span<Difference* const> chosen);
  const Evidence* against(Difference& difference) const;
  std::string reason(const Evidence& evidence) const;
  void decide_all(bool any_layer);

  const PageSources& sources_;
  std::vector<Difference*> all_;
  std::map<std::string, Evidence> fonts_;
  Evidence page_, numbers_;   ///< of all fonts; of differences with a digit
  Evidence left_out_;         ///< of words that the page alone has
  const Evidence elsewhere_;  ///< stands for blocks that are not what the layer has there
  std::map<Difference*, Verdict> checked_;
};

}  // namespace docspec
