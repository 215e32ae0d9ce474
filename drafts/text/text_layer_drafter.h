#pragma once

#include <memory>

#include "core/document/drafter.h"

namespace docspec {

/// Drafts from the words of the PDF's text layer (PageInput::text_layer).
std::unique_ptr<Drafter> make_text_layer_drafter();

}  // namespace docspec
