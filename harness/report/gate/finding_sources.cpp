#include "report/gate/finding_sources.h"

#include <algorithm>
#include <vector>

#include "core/leading_time.h"
#include "core/metric.h"
#include "core/text/source_text.h"
#include "report/gate/repository_path.h"

namespace stepgate {
namespace {

bool tells_of(const Finding& finding, std::string_view metric) {
  return finding.metric == metric || std::find(finding.also.begin(), finding.also.end(), metric) != finding.also.end();
}

}  // namespace

std::string further_sources(const Finding& finding) {
  std::vector<SourceFrame> further = finding.sources;
  std::erase_if(
      further, [&](const SourceFrame& frame) { return finding.message.find(source_text(frame)) != std::string::npos; });
  if (further.empty()) return "";
  return (further.front().file.empty() ? "in " : "at ") + source_list_text(further);
}

bool explains(const Finding& finding, std::string_view metric) {
  if (finding.metric.empty() || metric.empty() || tells_of(finding, metric)) return true;
  const Metric* row = find_metric(metric);
  if (row == nullptr || row->shares_test_of.empty()) return false;
  return tells_of(finding, row->shares_test_of) ||
         std::any_of(leading_times.begin(), leading_times.end(),
                     [&](std::string_view time) { return tells_of(finding, time); });
}

const SourceFrame* line_behind(const Outcome& outcome, std::string_view metric) {
  for (const Finding& finding : outcome.findings) {
    if (finding.severity != Severity::cause || !explains(finding, metric)) continue;
    for (const SourceFrame& frame : finding.sources) {
      if (frame.line > 0 && is_repository_path(frame.file)) return &frame;
    }
  }
  return nullptr;
}

}  // namespace stepgate
