#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/page/page_image.h"

namespace docspec {

/// x0, y0, x1, y1, in the units of the markup.
using BoxNumbers = std::array<int, 4>;
BoxNumbers numbers_of(const Box& box);

/// A possible number: its digits and its weight relative to the others.
struct NumberChoice {
  std::string digits;
  double belief = 0;
};

/// The boxes that a model has written on a page, and what they say of the next: how far off the
/// drafts are on each side, and in what columns and rows regions stand.
class BoxHistory {
 public:
  /// `drafted`: the box that a draft had for it, nullptr where none is near.
  void add(const Box& written, const Box* drafted);
  size_t size() const { return written_.size(); }

  /// Possible numbers of one side (0 to 3) of a drafted box, given its first digits; likeliest
  /// first, never empty.
  std::vector<NumberChoice> corrected(const Box& drafted, size_t side,
                                      const std::string& digits) const;
  /// The same for a box without a draft, of which `box` is known up to that side: as high and as
  /// wide, and at the same distance, as regions of its column have been. At least two boxes must be
  /// known.
  std::vector<NumberChoice> as_before(const BoxNumbers& box, size_t side,
                                      const std::string& digits) const;

 private:
  using Beliefs = std::map<int, double>;  ///< by number, or by offset
  static std::vector<NumberChoice> choices(const Beliefs& beliefs, const std::string& digits);

  std::vector<BoxNumbers> written_;  ///< the latest last
  std::array<Beliefs, 4> offsets_;   ///< of written boxes from drafted ones
};

}  // namespace docspec
