#include "measure/profile/experiments/optimizer_seen.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/boundary.h"

namespace stepgate {
namespace {

using Calls = std::map<std::string, std::int64_t, std::less<>>;

Calls optimizer_calls(const ObservedWork& work) {
  Calls calls;
  for (const OperatorSite& site : work.sites) {
    if (site.boundary == name_of(Boundary::optimizer)) calls[site.name] += site.calls;
  }
  return calls;
}

std::int64_t calls_of(const Calls& calls, std::string_view name) {
  const auto found = calls.find(name);
  return found == calls.end() ? 0 : found->second;
}

bool is_fused(const Calls& calls) {
  const auto found = calls.lower_bound("aten::_fused_");
  return found != calls.end() && found->first.starts_with("aten::_fused_");
}

/// Embeddings with sparse gradients make them so.
bool has_sparse_gradients(const ObservedWork& work) {
  return std::any_of(work.sites.begin(), work.sites.end(), [](const OperatorSite& site) {
    return site.boundary == name_of(Boundary::backward) && (site.name == "aten::embedding_sparse_backward" ||
                                                            site.name.find("_sparse_coo_tensor") != std::string::npos);
  });
}

}  // namespace

OptimizerSeen optimizer_seen(const ObservedWork& work, std::int64_t parameters) {
  OptimizerSeen seen;
  const Calls calls = optimizer_calls(work);
  seen.clips = calls_of(calls, "aten::linalg_vector_norm") + calls_of(calls, "aten::_foreach_norm") > 0;
  const std::int64_t updates = parameters * work.steps;
  if (updates == 0) {
    seen.refused = "its parameters are not known";
  } else if (has_sparse_gradients(work)) {
    seen.refused = "some of its gradients are sparse";
  } else if (is_fused(calls)) {
    seen.refused = "the optimizer is fused already";
  } else if (calls_of(calls, "aten::addcdiv_") >= updates &&
             (calls_of(calls, "aten::mul_") >= 2 * updates || calls_of(calls, "aten::lerp_") >= updates)) {
    seen.kind = FusedUpdateKind::adamw;
  } else if (calls_of(calls, "aten::addcdiv_") + calls_of(calls, "aten::addcmul_") == 0 &&
             calls_of(calls, "aten::add_") >= updates) {
    seen.kind = FusedUpdateKind::sgd;
    // Clipping multiplies as well, but adds nothing in place.
    seen.momentum = calls_of(calls, "aten::add_") >= 2 * updates && calls_of(calls, "aten::mul_") >= updates;
  } else {
    seen.refused = "the optimizer is neither SGD, Adam nor AdamW with one update per parameter tensor";
  }
  return seen;
}

}  // namespace stepgate
