#include "experiment/results/nothing_pending.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiment/results/report_files.h"

namespace stepgate {
namespace {

/// Findings that say why values cannot become a baseline, the plainest first.
const Finding* reason_in(const Outcome& outcome) {
  for (const FindingCodeRow& row : finding_code_rows) {
    if (row.nature != FindingNature::no_baseline) continue;
    for (const Finding& finding : outcome.findings) {
      if (finding.code == row.code) return &finding;
    }
  }
  return nullptr;
}

std::string reason_of(const Outcome& outcome) {
  const CaseVerdict& verdict = outcome.verdict;
  if (verdict.status == Status::failed || verdict.status == Status::skipped) return verdict.detail;
  if (const Finding* finding = reason_in(outcome)) return fmt::format("{}. {}", finding->message, finding->advice);
  if (verdict.status == Status::pass) return "it passes, so its baseline holds these values already";
  return verdict.detail;
}

}  // namespace

std::string why_nothing_is_pending(const Project& project, const std::vector<std::string>& cases) {
  std::string text;
  for (const Outcome& outcome : stored_outcomes(project, project.manifest.cases)) {
    const std::string& name = outcome.verdict.case_name;
    if (!cases.empty() && std::find(cases.begin(), cases.end(), name) == cases.end()) continue;
    text += fmt::format("{}{} ({}): {}", text.empty() ? "" : "\n", name, name_of(outcome.kind), reason_of(outcome));
  }
  return text;
}

}  // namespace stepgate
