#pragma once

#include "cli/flags/options.h"

namespace docspec {

class Vlm;

/// Throws Error for what the options ask for by name and this model cannot do: usage for a page
/// stage of a model that reads regions, for several pages in a prompt of one that reads one, and
/// for a setting of a proposer out of range, dependency for a layer that the checkpoint lacks.
void require_model_fits(const Options& options, const Vlm& vlm);

}  // namespace docspec
