#include "drafts/detector/region_names.h"

#include <algorithm>
#include <string_view>

#include "core/base/error.h"

namespace docspec {
namespace {

struct RegionName {
  std::string_view name;
  std::optional<RegionKind> kind;
};

constexpr RegionName kNames[] = {
    // Docling's and DocLayNet's, besides our own
    {"Document Index", RegionKind::table},
    {"Checkbox-Selected", std::nullopt},
    {"Checkbox-Unselected", std::nullopt},
    {"Form", std::nullopt},
    {"Key-Value Region", std::nullopt},
    // CDLA's
    {"text", RegionKind::text},
    {"title", RegionKind::section_header},
    {"figure", RegionKind::picture},
    {"figure_caption", RegionKind::caption},
    {"table", RegionKind::table},
    {"table_caption", RegionKind::caption},
    {"header", RegionKind::page_header},
    {"footer", RegionKind::page_footer},
    {"reference", RegionKind::text},
    {"equation", RegionKind::formula},
};

}  // namespace

std::vector<std::optional<RegionKind>> region_kinds(const std::vector<std::string>& names,
                                                    const std::string& file) {
  std::vector<std::optional<RegionKind>> kinds;
  std::string unknown;
  for (const std::string& name : names) {
    const auto* known = std::find_if(std::begin(kNames), std::end(kNames),
                                     [&](const RegionName& entry) { return entry.name == name; });
    if (const auto own = region_kind(name))
      kinds.push_back(own);
    else if (known != std::end(kNames))
      kinds.push_back(known->kind);
    else
      unknown += (unknown.empty() ? "'" : ", '") + name + "'";
  }
  if (!unknown.empty())
    throw Error(ExitCode::dependency, file + ": docspec has no kind of region for " + unknown +
                                          "; it knows the names of DocLayNet, Docling and CDLA");
  return kinds;
}

}  // namespace docspec
