#include "report/gate/failure_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"

namespace stepgate {
namespace {

std::string without_time(const std::string& message) { return message.substr(0, message.find(" after ")); }

bool tells_the_same(const ReplicateFailure& a, const ReplicateFailure& b) {
  return a.kind == b.kind && a.output_tail == b.output_tail && without_time(a.message) == without_time(b.message);
}

}  // namespace

std::string FailureGroup::sentence() const {
  const std::string more = processes < 2 ? "" : "; and " + counted(processes - 1, "more process", "more processes");
  return fmt::format("{}: {}{}", name_of(first.kind), first.message, more);
}

std::vector<FailureGroup> failure_groups(const Outcome& outcome) {
  std::vector<FailureGroup> groups;
  for (const ReplicateFailure& failure : outcome.failures) {
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const FailureGroup& group) { return tells_the_same(group.first, failure); });
    if (same == groups.end()) {
      groups.push_back({failure, 1});
    } else {
      ++same->processes;
    }
  }
  return groups;
}

bool repeats_failures(const std::string& text, const Outcome& outcome) {
  return std::any_of(outcome.failures.begin(), outcome.failures.end(), [&](const ReplicateFailure& failure) {
    return !failure.message.empty() && text.find(failure.message) != std::string::npos;
  });
}

bool repeats_failures(const Finding& finding, const Outcome& outcome) {
  return finding.code == FindingCode::replicate_failed && repeats_failures(finding.message, outcome);
}

}  // namespace stepgate
