#include <fmt/format.h>

#include <algorithm>

#include "core/boundary.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

bool trains(const ObservedWork& work) {
  return std::any_of(work.sites.begin(), work.sites.end(), [](const OperatorSite& site) {
    return site.boundary == name_of(Boundary::backward) || site.for_forward;
  });
}

}  // namespace

std::vector<PatternMatch> find_eval_mode(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  if (!trains(work)) return matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    const bool depends_on_mode = site.name == "aten::batch_norm" || site.name == "aten::dropout";
    if (!depends_on_mode || !is_own_code(site) || first_flag(site).value_or(true)) continue;
    matches.push_back({i, calls_per_step(work, site), fmt::format("{} runs with training=False", site.name)});
  }
  return matches;
}

}  // namespace stepgate
