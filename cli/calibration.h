#pragma once

#include <span>
#include <string>
#include <vector>

namespace docspec {

/// What `docspec model calibrate` measured of this very model on this machine, from the user's
/// cache: the share of attention on visual rows by layer. Empty when it did not.
std::vector<double> load_calibration(const std::string& model);

/// Keeps it there; returns the file's path. Throws Error(output_file).
std::string save_calibration(const std::string& model, std::span<const double> shares);

}  // namespace docspec
