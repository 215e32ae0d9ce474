#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// The built-in model's markup of a whole page: for each block its kind, the patch (14 pixels of
/// the image that the model saw) of its left and upper edge, its text, and the patch of its right
/// and lower edge: `<|text|><|2|><|40|>words of the block<|98|><|52|>`. Tables are pipes. The
/// tokens are those of share/models/mini/train/markup.py.
std::unique_ptr<Dialect> make_mini_page_dialect();

}  // namespace docspec
