#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr const char* creations_metric = "primitive_creations_after_warmup";

const std::vector<std::int64_t>* counted_steps_of(const JudgedComparison& input, const std::string& metric) {
  const auto at = input.current.counts.per_step.find(metric);
  return at == input.current.counts.per_step.end() ? nullptr : &at->second;
}

/// Padded tokens of one sample in each counted step.
std::vector<double> lengths_of(const JudgedComparison& input) {
  const auto* tokens = counted_steps_of(input, "padded_tokens_per_step");
  const auto* samples = counted_steps_of(input, "samples_per_step");
  std::vector<double> lengths;
  for (std::size_t i = 0; tokens != nullptr && samples != nullptr && i < std::min(tokens->size(), samples->size());
       ++i) {
    if ((*samples)[i] > 0 && (*tokens)[i] > 0)
      lengths.push_back(static_cast<double>((*tokens)[i]) / static_cast<double>((*samples)[i]));
  }
  return lengths;
}

std::string lengths_text(const std::vector<double>& lengths) {
  if (lengths.empty()) return "";
  const std::set<double> distinct(lengths.begin(), lengths.end());
  if (distinct.size() == 1) return "";
  return fmt::format("; batches have {} lengths in {} counted steps: {:.0f} / {:.0f} / {:.0f} tokens (p5 / p50 / p95)",
                     distinct.size(), lengths.size(), quantile(lengths, 0.05), quantile(lengths, 0.5),
                     quantile(lengths, 0.95));
}

/// "bfloat16" if matrix products run in it; "" without 16-bit products.
std::string half_dtype(const JudgedComparison& input) {
  if (!input.current.counts.observed) return "";
  for (const OperatorSite& site : input.current.counts.observed->sites) {
    if (site.flops <= 0) continue;
    for (const ObservedTensor& operand : site.inputs) {
      if (operand.dtype == "bfloat16" || operand.dtype == "float16") return operand.dtype;
    }
  }
  return "";
}

}  // namespace

std::vector<Finding> explain_cold_primitives(const JudgedComparison& input) {
  const auto* made = counted_steps_of(input, creations_metric);
  if (made == nullptr) return {};
  const auto total = std::accumulate(made->begin(), made->end(), std::int64_t{0});
  if (total == 0) return {};
  const auto cold = std::count_if(made->begin(), made->end(), [](std::int64_t in_step) { return in_step > 0; });
  const std::string half = half_dtype(input);
  const std::string in_half = half.empty() ? "" : fmt::format(", for {} products too", half);
  return {{.code = FindingCode::primitives_after_warmup,
           .severity = is_red(input, creations_metric) ? Severity::cause : Severity::note,
           .message = fmt::format("{} in {} of {} steps after the warm-up{}{}",
                                  counted(total, "primitive of oneDNN is made", "primitives of oneDNN are made"), cold,
                                  made->size(), in_half, lengths_text(lengths_of(input))),
           .advice = "each new size of a batch prepares its kernels anew, which makes the first step of a bfloat16 "
                     "product four to nine times as long: round the lengths of batches up to a few buckets.",
           .metric = creations_metric}};
}

}  // namespace stepgate
