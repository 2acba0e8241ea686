#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

bool is_fill(std::string_view name) {
  constexpr std::array<std::string_view, 6> names = {"aten::zeros", "aten::ones",  "aten::full",
                                                     "aten::zero_", "aten::fill_", "aten::zeros_like"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<PatternMatch> find_host_made_tensors(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (site.name != "aten::_to_copy" || !is_own_code(site) || site.inputs.empty() || site.outputs.empty()) continue;
    // .to() copies for another dtype, another device, or because it was told to copy.
    if (!is_fill(site.inputs[0].from) || site.inputs[0].dtype != site.outputs[0].dtype) continue;
    matches.push_back({i, calls_per_step(work, site),
                       fmt::format("{} from {} is copied, to another device or for nothing",
                                   tensor_text(site.inputs[0]), site.inputs[0].from)});
  }
  return matches;
}

}  // namespace stepgate
