#include "report/gate/shared_observations.h"

#include <fmt/format.h>

#include <algorithm>

namespace stepgate {
namespace {

void add_case(const std::string& message, const std::string& name, std::vector<SharedObservation>& all) {
  const auto at = std::ranges::find(all, message, &SharedObservation::message);
  SharedObservation& shared = at == all.end() ? all.emplace_back(SharedObservation{message, {}}) : *at;
  if (std::ranges::find(shared.cases, name) == shared.cases.end()) shared.cases.push_back(name);
}

}  // namespace

std::vector<SharedObservation> shared_observations(const RunReport& report) {
  std::vector<SharedObservation> all;
  for (const Outcome& outcome : report.outcomes) {
    if (outcome.verdict.status != Status::pass && outcome.verdict.status != Status::improved) continue;
    for (const Finding& finding : outcome.findings) {
      if (is_observation(finding) && finding.sources.empty()) add_case(finding.message, outcome.verdict.case_name, all);
    }
  }
  std::erase_if(all, [](const SharedObservation& one) { return one.cases.size() < 2; });
  return all;
}

bool is_shared(const std::vector<SharedObservation>& shared, const Finding& finding) {
  return std::ranges::find(shared, finding.message, &SharedObservation::message) != shared.end();
}

std::string shared_text(const SharedObservation& shared) {
  return fmt::format("{} cases: {}", shared.cases.size(), shared.message);
}

}  // namespace stepgate
