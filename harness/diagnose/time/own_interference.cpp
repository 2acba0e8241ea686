#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// A wait for others above this discards a process (evidence_key.h), so a wait for itself above it is worth a word.
constexpr double least_own_wait = row_of(EvidenceKey::runqueue_wait_fraction).limit->value;
/// Less than half of the head's says that the change brought most of it.
constexpr double much_less = 0.5;

double own_value(const std::map<EvidenceKey, double>& evidence, EvidenceKey key) {
  const auto found = evidence.find(key);
  return found == evidence.end() ? 0 : found->second;
}

struct OwnInterference {
  EvidenceKey key;
  double least;
  std::string message;
  const char* advice;
};

std::optional<Finding> own_finding(const JudgedComparison& input, const OwnInterference& kind) {
  const double now = own_value(input.current.own_evidence, kind.key);
  if (now <= kind.least) return std::nullopt;
  const PairedReference* paired = paired_reference(input);
  const bool is_new = paired != nullptr && own_value(paired->own_evidence, kind.key) < much_less * now;
  const bool costs = is_whole_time_red(input);
  return Finding{.code = FindingCode::disturbs_itself,
                 .severity = is_new && costs ? Severity::cause : Severity::note,
                 .message = kind.message,
                 .advice = kind.advice,
                 .metric = leading_time(input)};
}

}  // namespace

std::vector<Finding> explain_own_interference(const JudgedComparison& input) {
  const double wait = own_value(input.current.own_evidence, EvidenceKey::own_wait_fraction);
  std::vector<Finding> findings;
  for (const OwnInterference& kind :
       {OwnInterference{EvidenceKey::own_wait_fraction, least_own_wait,
                        fmt::format("its threads wait {:.0f} % of their ready time for threads or processes that the "
                                    "program itself started",
                                    100 * wait),
                        "declare as many CPUs as it has busy threads (CPUS), or let what runs beside the step wait."},
        OwnInterference{
            EvidenceKey::own_affinity_change, 0,
            "the program allows threads on CPUs that are not measured, so its times depend on what runs there",
            "leave the affinity that the launcher sets, or narrow it."}}) {
    if (auto finding = own_finding(input, kind)) findings.push_back(*std::move(finding));
  }
  return findings;
}

}  // namespace stepgate
