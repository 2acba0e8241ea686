#include "diagnose/float64_calls.h"

#include <algorithm>

namespace stepgate {
namespace {

/// A number of C++ beside a tensor is a float64 scalar, and nobody computes in it.
bool gives_float64(const OperatorSite& site) {
  return std::any_of(site.outputs.begin(), site.outputs.end(), [&](const ObservedTensor& tensor) {
    return tensor.dtype == "float64" && (!tensor.sizes.empty() || site.name == "aten::_to_copy");
  });
}

/// One of the lines may be that of a caller.
bool lies_at(const ObservedWork& work, const OperatorSite& site, const std::vector<SourceFrame>& lines) {
  if (lines.empty()) return true;
  if (!site.place || *site.place >= work.places.size()) return false;
  const auto& frames = work.places[*site.place].frames;
  return std::any_of(frames.begin(), frames.end(), [&](const SourceFrame& frame) {
    return std::find(lines.begin(), lines.end(), frame) != lines.end();
  });
}

}  // namespace

bool makes_float64(const JudgedComparison& input, const NamedOperator& called) {
  if (!input.current.counts.observed) return false;
  const ObservedWork& work = *input.current.counts.observed;
  return std::any_of(work.sites.begin(), work.sites.end(), [&](const OperatorSite& site) {
    return site.boundary == called.boundary && site.name == called.name && gives_float64(site) &&
           lies_at(work, site, called.lines);
  });
}

}  // namespace stepgate
