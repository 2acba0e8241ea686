#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// What grows where each step keeps its batch.
constexpr const char* growing[] = {"leak_bytes_per_step", "resident_bytes", "peak_allocated_bytes"};

std::vector<std::string> red_memory(const JudgedComparison& input) {
  std::vector<std::string> red;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    const bool grows = std::find(std::begin(growing), std::end(growing), verdict.metric) != std::end(growing);
    if (grows && verdict.gating && verdict.status == Status::regressed) red.push_back(verdict.metric);
  }
  return red;
}

std::string held_text(const KeptTensor& kept) {
  return fmt::format("tensor {} of the batch ({}, {}), first after step {}, {} in all", kept.index, kept.tensor,
                     bytes_text(static_cast<double>(kept.bytes)), kept.first_step,
                     counted(static_cast<std::size_t>(kept.times), "time"));
}

}  // namespace

std::vector<Finding> explain_kept_batch(const JudgedComparison& input) {
  const std::vector<KeptTensor>& kept = input.current.kept_tensors;
  if (kept.empty()) return {};
  std::string held;
  for (const KeptTensor& one : kept) held += (held.empty() ? "" : "; ") + held_text(one);
  std::vector<std::string> red = red_memory(input);
  const bool grows = !red.empty() && !kept.front().overwritten;
  Finding finding{.code = FindingCode::batch_kept,
                  .severity = grows ? Severity::cause : Severity::note,
                  .message = "a step ended and the workload still held " + held,
                  .advice = kept.front().overwritten
                                ? "the step is a CUDA graph, which reads fixed addresses: the next batch was written "
                                  "into that memory, so that what is kept holds other data. Keep a clone()."
                                : "the next batch got other memory, and what is kept stays as it was loaded: let go of "
                                  "it before the next step, or keep only what is needed of it.",
                  .metric = grows ? red.front() : std::string()};
  if (grows) finding.also.assign(red.begin() + 1, red.end());
  return {finding};
}

}  // namespace stepgate
