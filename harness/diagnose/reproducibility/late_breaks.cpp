#include <fmt/format.h>

#include "core/text/number_format.h"
#include "core/verdict/late_break.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

constexpr const char* starts_later =
    "look for what grows or starts later: a learning rate that is too high, a schedule, a batch that comes then, an "
    "overflow in low precision.";

Finding broken_loss(const LateBreak& one) {
  return {
      .code = FindingCode::non_finite,
      .severity = Severity::cause,
      .message = fmt::format("{}: {}, the first value that is not finite", label_of(one.metric), text_of(one)),
      .advice = fmt::format("{} --steps numerics={} compares every step up to it.", starts_later, one.found.step + 1),
      .metric = one.metric,
      .boundary = std::string(member_name(one.metric))};
}

/// The change is not at fault, but what follows says little: every later step computes with values that are not finite.
Finding broken_before(const LateBreak& one, const LateBreak& in_base) {
  return {.code = FindingCode::non_finite,
          .severity = Severity::note,
          .message = fmt::format("{}: {}; in the base {}", label_of(one.metric), text_of(one), text_of(in_base)),
          .advice = starts_later,
          .metric = one.metric,
          .boundary = std::string(member_name(one.metric))};
}

bool is_told_by(const MetricVerdict& verdict, const LateBreak& one) {
  return verdict.metric == one.metric && verdict.reason == ReasonCode::non_finite &&
         verdict.detail.find(text_of(one)) != std::string::npos;
}

}  // namespace

std::vector<Finding> explain_late_breaks(const JudgedComparison& input) {
  std::vector<Finding> findings;
  for (const LateBreak& one : late_breaks(input.current.losses)) {
    if (const auto in_base = break_of_base(losses_of_base(input), one)) {
      findings.push_back(broken_before(one, *in_base));
      continue;
    }
    for (const MetricVerdict& verdict : input.verdict.metrics) {
      if (is_told_by(verdict, one) && verdict.status == Status::regressed) findings.push_back(broken_loss(one));
    }
  }
  return findings;
}

}  // namespace stepgate
