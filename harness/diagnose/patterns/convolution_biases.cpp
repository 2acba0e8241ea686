#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

constexpr std::array<std::string_view, 5> convolutions = {"aten::conv1d", "aten::conv2d", "aten::conv3d",
                                                          "aten::convolution", "aten::_convolution"};

bool is_convolution(std::string_view name) {
  return std::find(convolutions.begin(), convolutions.end(), name) != convolutions.end();
}

/// Input, weight, and a bias of one number per channel of the result.
bool has_bias(const OperatorSite& site) {
  return site.inputs.size() >= 3 && site.inputs[2].sizes.size() == 1 && !site.outputs.empty() &&
         site.outputs[0].sizes.size() > 1 && site.inputs[2].sizes[0] == site.outputs[0].sizes[1];
}

/// Whichever of the operators behind a convolution made it: aten::conv2d, aten::mkldnn_convolution, ...
bool comes_from_convolution(const ObservedTensor& tensor) { return tensor.from.find("conv") != std::string::npos; }

/// Normalisation in training mode takes the mean away; in eval mode a bias does matter.
bool normalises(const OperatorSite& norm, const OperatorSite& convolution) {
  return norm.name == "aten::batch_norm" && norm.boundary == convolution.boundary && !norm.inputs.empty() &&
         first_flag(norm).value_or(true) && comes_from_convolution(norm.inputs[0]) &&
         norm.inputs[0].sizes == convolution.outputs[0].sizes;
}

}  // namespace

std::vector<PatternMatch> find_convolution_biases(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    // Only the operator that the user's code calls, not the operators behind it.
    if (!is_convolution(site.name) || is_convolution(site.parent) || !is_own_code(site) || !has_bias(site)) continue;
    const bool normalised = std::any_of(work.sites.begin(), work.sites.end(),
                                        [&](const OperatorSite& other) { return normalises(other, site); });
    if (!normalised) continue;
    matches.push_back({i, calls_per_step(work, site),
                       fmt::format("{} adds a bias of {} to {}, and batch normalisation subtracts it again", site.name,
                                   tensor_text(site.inputs[2]), tensor_text(site.outputs[0]))});
  }
  return matches;
}

}  // namespace stepgate
