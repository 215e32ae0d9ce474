#pragma once

#include "drafts/ocr/ppocr/layers/integer_layer.h"

namespace docspec::ppocr {

// The kernels of IntegerLayer::run, each only where `has_...` says that processor and build have
// it.

bool has_int8_kernel();
void run_int8(const IntegerWeights& weights, const float* x, int rows, LayerActivation activation,
              const LayerRows& out);

/// int8 by tiles: weights are padded, has_int8_kernel() must be true, too.
bool has_tile_kernel();
void run_tiles(const IntegerWeights& weights, const float* x, int rows, LayerActivation activation,
               const LayerRows& out);

bool has_int16_kernel();
void run_int16(const IntegerWeights& weights, const float* x, int rows, LayerActivation activation,
               const LayerRows& out);

}  // namespace docspec::ppocr
