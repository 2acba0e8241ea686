// Adds operators to one side of a sample case, as a fault in real code does. The figures in the tests that use it were
// counted in runs of LibTorch 2.11: a convolution, a linear layer, cross entropy and SGD.
#pragma once

#include <map>
#include <string>

#include "diagnose/sample_case.h"

namespace stepgate {

inline constexpr std::int64_t sample_steps = 4;

using CallsPerStep = std::map<std::string, std::int64_t>;

/// What a step of the sample calls before any fault. Four parameters: backward sets four gradients.
inline SampleCase trained_sample() {
  SampleCase sample;
  auto& before = sample.portable.operators;
  before["forward"]["aten::to"] = sample_steps;
  before["backward"] = {{"aten::detach", 4 * sample_steps}, {"aten::mm", 2 * sample_steps}};
  before["optimizer"] = {{"aten::add_", 4 * sample_steps}, {"aten::detach_", 4 * sample_steps}};
  before["logging"] = {{"aten::detach", sample_steps}, {"aten::add_", sample_steps}};
  sample.current.counts.operators = before;
  sample.portable.ledger =
      MemoryLedger{.peak_bytes = 4096, .step = 1, .boundary = "forward", .bytes = {{"parameters", 1024}}};
  sample.current.ledger = sample.portable.ledger;
  return sample;
}

/// `calls` more (negative: less) in each counted step of the head.
inline void inject(SampleCase& sample, const std::string& boundary, const CallsPerStep& calls) {
  auto& operators = sample.current.counts.operators[boundary];
  std::int64_t sum = 0;
  for (const auto& [name, count] : calls) {
    operators[name] += count * sample_steps;
    if (operators[name] == 0) operators.erase(name);
    sum += count;
  }
  for (std::int64_t& step : sample.current.counts.per_step["operators_per_step"]) step += sum;
}

/// The findings of severity cause, in their order.
inline std::vector<Finding> only_causes(std::vector<Finding> findings) {
  std::erase_if(findings, [](const Finding& finding) { return finding.severity != Severity::cause; });
  return findings;
}

}  // namespace stepgate
