#include <fmt/format.h>

#include "core/record/batch_lengths.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {

std::vector<Finding> explain_changed_lengths(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  if (input.verdict.status != Status::regressed || baseline == nullptr) return {};
  const auto before = batch_lengths(baseline->exact);
  const auto now = batch_lengths(input.current.counts.per_step);
  if (!before || !now || *before == *now) return {};
  return {{.code = FindingCode::other_lengths,
           .severity = Severity::warning,
           .message = fmt::format("data_wait: the counted batches have other lengths (steps x tokens a sample): {}; "
                                  "was {}; {} of the tokens are padding, was {}",
                                  bins_text(*now), bins_text(*before), share_text(now->padding_ratio),
                                  share_text(before->padding_ratio)),
           .advice = "other batches are other work: look first for a change of the data, its order, or how it is "
                     "batched and padded.",
           .metric = "",
           .boundary = "data_wait"}};
}

}  // namespace stepgate
