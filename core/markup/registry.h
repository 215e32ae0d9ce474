#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/registry.h"
#include "core/markup/base/dialect.h"

namespace docspec {

using MakeDialect = std::unique_ptr<Dialect> (*)();
using MakeFormat = std::unique_ptr<OutputFormat> (*)();

/// Markups that models write, by the name that share/families/*.json uses.
std::span<const Entry<MakeDialect>> dialects();
/// Formats of `-t`; the name is also the file suffix.
std::span<const Entry<MakeFormat>> output_formats();

/// The format that a file name's suffix stands for (.markdown and .htm are known, too), or "".
std::string format_of(const std::filesystem::path& path);

/// Throws Error(usage) that lists the known names.
std::unique_ptr<Dialect> make_dialect(std::string_view name);
std::unique_ptr<OutputFormat> make_output_format(std::string_view name);

}  // namespace docspec
