#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/metric.h"
#include "core/record/wait_metric.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/questions.h"
#include "diagnose/work/device_call_change.h"
#include "diagnose/work/source_of_change.h"
#include "diagnose/work/work_location.h"

namespace stepgate {
namespace {

struct WaitAdvice {
  std::string_view name;  ///< as the counts pass names the call
  std::string_view advice;
};

constexpr std::string_view of_a_mask =
    "a boolean mask as index gives a tensor whose size only the device knows: torch::where(mask, a, b) or "
    "masked_fill() "
    "keeps the size, and a sum over masked values needs no selection.";
constexpr std::string_view of_a_value =
    "the host reads a value: keep it on the device, add it up there, or read it seldom and outside the step.";

constexpr std::array wait_advices = {
    WaitAdvice{"aten::nonzero", of_a_mask},
    WaitAdvice{"aten::argwhere", of_a_mask},
    WaitAdvice{"aten::masked_select", of_a_mask},
    WaitAdvice{"aten::item", of_a_value},
    WaitAdvice{"aten::_local_scalar_dense", of_a_value},
    WaitAdvice{"aten::equal", of_a_value},
    WaitAdvice{"aten::allclose", of_a_value},
    WaitAdvice{"aten::to",
               ".cpu() copies a tensor to the host: compute on the device, and copy what a person looks at "
               "seldom and outside the step."},
    WaitAdvice{"aten::copy_",
               "a tensor is copied to the host: keep it on the device, or copy it with non_blocking and "
               "look at it a step later."},
    WaitAdvice{"at::print", "printing copies a tensor to the host: print seldom and outside the step."},
    WaitAdvice{"aten::one_hot", "give num_classes, so that the size does not depend on the values."},
    WaitAdvice{"aten::repeat_interleave", "give output_size, so that the size does not depend on the values."}};

std::string_view wait_advice(std::string_view name) {
  const auto at =
      std::find_if(wait_advices.begin(), wait_advices.end(), [&](const WaitAdvice& one) { return one.name == name; });
  return at == wait_advices.end() ? find_metric(would_sync_per_step)->advice : at->advice;
}

/// Printing is seen at the call of aten::to() that it makes.
std::string_view called_operator(std::string_view name) { return name == "at::print" ? "aten::to" : name; }

/// "forward +1 aten::nonzero at net.cpp:12 in Net::forward"
struct AddedWaits {
  std::string text = {};
  std::string name = {};  ///< of the call that was added most often; "" where the baseline knows none
  std::vector<SourceFrame> sources = {};
};

AddedWaits waits_in(const JudgedComparison& input, const BoundaryShare& share, double factor) {
  const auto changes = device_call_changes(input, std::string(would_sync_per_step), share.boundary);
  if (changes.empty()) {
    return {.text = fmt::format("{} {}", share.boundary, difference_text(MetricUnit::count, factor * share.change))};
  }
  AddedWaits added{.name = changes.front().call};
  added.sources = sources_of(input, share.boundary, called_operator(added.name));
  added.text = fmt::format("{} {}{}", share.boundary, device_calls_text(changes, factor), at_sources(added.sources));
  return added;
}

/// In the order of the step: what forward does with a value, backward often does again.
std::vector<BoundaryShare> rises_in_order(const JudgedComparison& input) {
  const auto shares = changed_shares(input, std::string(would_sync_per_step));
  std::vector<BoundaryShare> rises;
  for (const std::string& boundary : boundary_names(input)) {
    const double change = share_of(shares, boundary);
    if (change > 0) rises.push_back({boundary, change});
  }
  return rises;
}

}  // namespace

std::vector<Finding> explain_added_waits(const JudgedComparison& input) {
  if (!is_red(input, would_sync_per_step)) return {};
  const auto rises = rises_in_order(input);
  if (rises.empty()) return {};
  const auto spread = step_spread(input, std::string(would_sync_per_step));
  const WholeAmounts amounts = amounts_of(rises, MetricUnit::count, spread);
  Finding finding{.code = FindingCode::would_sync_added,
                  .severity = Severity::cause,
                  .message = "would-be syncs: ",
                  .advice = "",
                  .metric = std::string(would_sync_per_step),
                  .boundary = rises.front().boundary};
  std::string name;
  for (const BoundaryShare& rise : rises) {
    const AddedWaits added = waits_in(input, rise, amounts.factor);
    finding.message += (&rise == &rises.front() ? "" : "; ") + added.text;
    add_sources(added.sources, finding.sources);
    if (name.empty()) name = added.name;
  }
  finding.message += amounts.per + affected_steps(spread);
  finding.advice = wait_advice(name);
  return {finding};
}

}  // namespace stepgate
