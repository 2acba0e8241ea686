#include "report/gate/waivers_in_effect.h"

namespace stepgate {

bool names_waiver(const Finding& finding) { return finding.code == FindingCode::waiver; }

std::string_view finding_label(const Finding& finding) {
  return names_waiver(finding) ? std::string_view("waiver") : name_of(finding.severity);
}

std::vector<std::string> waivers_in_effect(const Outcome& outcome) {
  std::vector<std::string> lines;
  for (const Finding& finding : outcome.findings) {
    if (!names_waiver(finding)) continue;
    lines.push_back(finding.advice.empty() ? finding.message : finding.message + "; " + finding.advice);
  }
  return lines;
}

}  // namespace stepgate
