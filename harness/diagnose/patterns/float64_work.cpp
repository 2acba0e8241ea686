#include <fmt/format.h>

#include <algorithm>

#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

bool is_float64(const ObservedTensor& tensor) { return tensor.dtype == "float64" && element_count(tensor) > 1; }

bool is_narrower(const ObservedTensor& tensor) {
  return is_floating(tensor.dtype) && tensor.dtype != "float64" && element_count(tensor) > 1;
}

bool takes_float64(const OperatorSite& site) { return std::any_of(site.inputs.begin(), site.inputs.end(), is_float64); }

/// It takes narrower values and gives float64: .to(kDouble), a promotion, or an operator that promotes by itself. A
/// loss of a float64 target gives one number.
bool widens(const OperatorSite& site) {
  const bool gives_one_number = takes_float64(site) && !site.outputs.empty() && site.outputs.front().dtype == "float64";
  return is_own_code(site) && std::any_of(site.inputs.begin(), site.inputs.end(), is_narrower) &&
         (gives_one_number || std::any_of(site.outputs.begin(), site.outputs.end(), is_float64));
}

/// The operator that touches most bytes of those that compute in float64: converting back and forth alone is not work
/// in it. nullptr if there is none.
const OperatorSite* computes_in_float64(const ObservedWork& work, const std::string& boundary) {
  const OperatorSite* largest = nullptr;
  for (const OperatorSite& site : work.sites) {
    const bool computes = site.boundary == boundary && is_own_code(site) && !moves_only(site.name) &&
                          site.leaf_calls > 0 && takes_float64(site);
    if (computes && (largest == nullptr || site.bytes > largest->bytes)) largest = &site;
  }
  return largest;
}

/// The one that converts, not what calls it.
bool is_innermost(const OperatorSite& site) { return site.leaf_calls > 0 || site.name == "aten::_to_copy"; }

}  // namespace

std::vector<PatternMatch> find_float64_work(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (!widens(site) || !is_innermost(site) || site.name == "aten::copy_") continue;
    const OperatorSite* user = computes_in_float64(work, site.boundary);
    if (user == nullptr) continue;
    const auto narrow = std::find_if(site.inputs.begin(), site.inputs.end(), is_narrower);
    matches.push_back({i, calls_per_step(work, site),
                       fmt::format("{} becomes float64 by {}{}", tensor_text(*narrow),
                                   site.parent.empty() || !moves_only(site.name) ? site.name : site.parent,
                                   user->name == site.name ? "" : fmt::format(", and {} computes in it", user->name))});
  }
  return matches;
}

double half_of_float64_ns(const ObservedWork& work, std::string_view boundary) {
  double ns = 0;
  for (const OperatorSite& site : work.sites) {
    const bool in_float64 = std::any_of(site.inputs.begin(), site.inputs.end(), is_float64) ||
                            std::any_of(site.outputs.begin(), site.outputs.end(), is_float64);
    if (site.boundary == boundary && in_float64) ns += static_cast<double>(site.self_ns) / 2;
  }
  return ns;
}

}  // namespace stepgate
