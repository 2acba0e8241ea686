#include "core/study/flop_peak.h"

#include <algorithm>
#include <map>

namespace stepgate {

std::string compute_dtype(const OperatorSite& site) {
  if (!site.outputs.empty()) return site.outputs.front().dtype;
  return site.inputs.empty() ? "" : site.inputs.front().dtype;
}

std::optional<FlopPeak> flop_peak(const Profile& profile) {
  std::map<std::string, std::int64_t> flops;
  for (const OperatorRow& row : profile.operators) flops[compute_dtype(row.site)] += row.site.flops;
  const auto& peaks = profile.peaks.flops_per_s;
  const auto most = std::ranges::max_element(flops, {}, [](const auto& each) { return each.second; });
  auto found = most == flops.end() || most->second == 0 ? peaks.end() : peaks.find(most->first);
  if (found == peaks.end()) found = peaks.find("float32");
  if (found == peaks.end()) found = peaks.begin();
  if (found == peaks.end() || !(found->second > 0)) return std::nullopt;
  return FlopPeak{found->first, found->second};
}

}  // namespace stepgate
