#include "diagnose/precision/scaler_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/text/number_format.h"
#include "diagnose/patterns/site_reading.h"
#include "diagnose/patterns/step_amounts.h"

namespace stepgate {
namespace {

constexpr std::string_view unscale = "aten::_amp_foreach_non_finite_check_and_unscale_";
constexpr std::string_view update_scale = "aten::_amp_update_scale_";

std::optional<std::size_t> first_call_of(const ObservedWork& work, std::string_view name) {
  const auto at =
      std::find_if(work.sites.begin(), work.sites.end(), [&](const OperatorSite& site) { return site.name == name; });
  if (at == work.sites.end()) return std::nullopt;
  return static_cast<std::size_t>(at - work.sites.begin());
}

std::int64_t gradients_of(const OperatorSite& site) {
  return std::count_if(site.inputs.begin(), site.inputs.end(),
                       [](const ObservedTensor& tensor) { return tensor.from == "gradient"; });
}

bool is_norm_of_gradients(const OperatorSite& site) {
  constexpr std::array<std::string_view, 3> norms = {"aten::_foreach_norm", "aten::linalg_vector_norm", "aten::norm"};
  return !site.for_forward && std::find(norms.begin(), norms.end(), site.name) != norms.end() && gradients_of(site) > 0;
}

}  // namespace

std::vector<PatternMatch> find_clip_before_unscale(const ObservedWork& work) {
  const auto unscaled = first_call_of(work, unscale);
  if (!unscaled) return {};
  for (std::size_t i = 0; i < *unscaled; ++i) {
    const OperatorSite& site = work.sites[i];
    if (!is_norm_of_gradients(site)) continue;
    return {{i, calls_per_step(work, site), fmt::format("{} reads gradients that are still scaled", site.name)}};
  }
  return {};
}

std::vector<PatternMatch> find_missing_scale_update(const ObservedWork& work) {
  const auto unscaled = first_call_of(work, unscale);
  if (!unscaled || first_call_of(work, update_scale)) return {};
  return {{*unscaled, calls_per_step(work, work.sites[*unscaled]),
           fmt::format("{} checks the gradients, and no {} follows: the scale stays as it is", unscale, update_scale)}};
}

std::vector<PatternMatch> find_repeated_unscale(const ObservedWork& work) {
  const double tensors = step_amounts(work).parameter_tensors;
  const auto first = first_call_of(work, unscale);
  if (!first || tensors == 0) return {};
  double unscaled = 0;
  for (const OperatorSite& site : work.sites) {
    if (site.name == unscale) unscaled += calls_per_step(work, site) * static_cast<double>(gradients_of(site));
  }
  if (whole(unscaled) <= whole(tensors)) return {};
  return {
      {*first, calls_per_step(work, work.sites[*first]),
       fmt::format("{} a step are unscaled, and there are {}", counted(whole(unscaled), "gradient"), whole(tensors))}};
}

}  // namespace stepgate
