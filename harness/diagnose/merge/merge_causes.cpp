#include "diagnose/merge/merge_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "core/boundary.h"
#include "core/kernels/launch_name.h"
#include "core/record/wait_metric.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/memory/ledger_change.h"
#include "diagnose/merge/fault.h"
#include "diagnose/merge/merge_device_causes.h"
#include "diagnose/merge/merge_growing_time.h"
#include "diagnose/merge/merge_inference_causes.h"
#include "diagnose/merge/merge_named_causes.h"
#include "diagnose/merge/merge_padding.h"
#include "diagnose/merge/merge_removed_operators.h"
#include "diagnose/merge/taken_work.h"
#include "diagnose/work/device_call_change.h"
#include "diagnose/work/operator_findings.h"
#include "diagnose/work/saved_bytes.h"
#include "diagnose/work/work_location.h"

namespace stepgate {
namespace {

constexpr std::string_view graph_metric = "autograd_nodes_per_step";

/// "allocations +3"; if it differs in some steps only, the amount in each of them.
std::string figure(const JudgedComparison& input, const std::string& metric, double change) {
  const Metric* known = find_metric(metric);
  const MetricUnit unit = known == nullptr ? MetricUnit::none : known->unit;
  const WholeAmounts amounts = amounts_of({{"", change}}, unit, step_spread(input, metric));
  const std::string per = amounts.per == WholeAmounts{}.per ? "" : amounts.per;
  return fmt::format("{} {}{}", label_of(metric), difference_text(unit, amounts.factor * change), per);
}

constexpr std::array<std::string_view, 5> work_of_operators = {
    "flops_per_step", "bytes_touched_per_step", "casts_per_step", "cast_bytes_per_step", "copy_bytes_per_step"};

/// Backward of an operator reads and writes at most about three times what forward does: its operands, its result and
/// the gradients of both.
constexpr double most_of_backward = 3;

/// What forward computes more, backward runs again, by other operators or by more work of the same ones.
bool is_backward_of_forward(const JudgedComparison& input, const BoundaryShare& share, const std::string& metric) {
  if (share.boundary != name_of(Boundary::backward)) return false;
  const std::string forward(name_of(Boundary::forward));
  const BoundaryShare own{.boundary = forward, .change = share_of(changed_shares(input, metric), forward)};
  return own.change > 0 && share.change <= most_of_backward * own.change && operators_cover(input, own, metric);
}

/// Whether added operators explain a rise of this metric in their boundary.
bool explains(const Fault* operators, std::string_view metric) {
  if (operators == nullptr) return false;
  constexpr std::array<std::string_view, 8> of_any = {
      "allocations_per_step", "allocated_bytes_per_step", own_kernels_metric, library_calls_metric,
      "kernels_per_step",     "memsets_per_step",         graph_metric,       saved_bytes_per_step};
  constexpr std::array<std::string_view, 5> of_a_sync = {
      "host_syncs_per_step", would_sync_per_step, "device_syncs_per_step", "d2h_copies_per_step", "memcpys_per_step"};
  if (std::find(of_any.begin(), of_any.end(), metric) != of_any.end()) return true;
  return is_host_sync(*operators) && std::find(of_a_sync.begin(), of_a_sync.end(), metric) != of_a_sync.end();
}

/// The cause whose added operators explain the rise of this metric in this boundary.
Fault* explaining_operators(const JudgedComparison& input, Faults& faults, const BoundaryShare& share,
                            const std::string& metric) {
  Fault* operators = added_operators(faults, share.boundary);
  const bool is_work = std::find(work_of_operators.begin(), work_of_operators.end(), metric) != work_of_operators.end();
  if (!is_work) return explains(operators, metric) ? operators : nullptr;
  if (operators != nullptr && operators_cover(input, share, metric)) return operators;
  return is_backward_of_forward(input, share, metric) ? added_operators(faults, name_of(Boundary::forward)) : nullptr;
}

/// The rise of a metric that one cause explains, in its own boundary and in backward.
struct TakenWork {
  Fault* operators;
  double change;
  std::vector<std::string> boundaries;
};

void add_part(std::vector<TakenWork>& parts, Fault& operators, const BoundaryShare& share) {
  const auto same = [&](const TakenWork& part) { return part.operators == &operators; };
  auto part = std::find_if(parts.begin(), parts.end(), same);
  if (part == parts.end()) part = parts.insert(part, {.operators = &operators, .change = 0, .boundaries = {}});
  part->change += share.change;
  part->boundaries.push_back(share.boundary);
}

/// Counters that rose only in boundaries whose added operators explain them.
void merge_work(const JudgedComparison& input, Faults& faults) {
  for (Fault& work : faults) {
    constexpr std::array of_work = {FindingCode::work_added, FindingCode::saved_bytes_grew,
                                    FindingCode::would_sync_added};
    const bool is_work = std::find(of_work.begin(), of_work.end(), work.finding.code) != of_work.end();
    if (work.merged || !is_work) continue;
    const std::string& metric = work.finding.metric;
    const auto shares = rises(changed_shares(input, metric));
    const bool all = !shares.empty() && std::all_of(shares.begin(), shares.end(), [&](const BoundaryShare& share) {
      return explaining_operators(input, faults, share, metric) != nullptr;
    });
    if (!all) continue;
    std::vector<TakenWork> parts;
    for (const BoundaryShare& share : shares)
      add_part(parts, *explaining_operators(input, faults, share, metric), share);
    for (const TakenWork& part : parts) {
      if (part.operators->steps.empty()) part.operators->steps = affected_steps(step_spread(input, metric));
      work.claims.clear();
      for (const std::string& boundary : part.boundaries) work.claims.push_back({metric, boundary});
      take(work, figure(input, metric, part.change) + added_launch_text(input, metric, part.boundaries),
           *part.operators);
    }
  }
}

/// A graph that is recorded more keeps what its nodes save: an evaluation without NoGradGuard calls no new operator.
void merge_saved_bytes(const JudgedComparison& input, Faults& faults) {
  Fault* graph = find_fault(faults, FindingCode::work_added, graph_metric);
  if (graph == nullptr) return;
  for (Fault& saved : faults) {
    const std::string& boundary = saved.finding.boundary;
    if (saved.merged || saved.finding.code != FindingCode::saved_bytes_grew || boundary != graph->finding.boundary)
      continue;
    take(saved, figure(input, saved.finding.metric, share_of(changed_shares(input, saved.finding.metric), boundary)),
         *graph);
  }
}

struct Companion {
  std::string_view metric;
  std::string_view leader;
};

bool in_same_boundaries(const std::vector<BoundaryShare>& a, const std::vector<BoundaryShare>& b) {
  return a.size() == b.size() &&
         std::all_of(a.begin(), a.end(), [&](const BoundaryShare& share) { return share_of(b, share.boundary) > 0; });
}

/// Counters that tell of one thing by several figures, where no operator is known.
void merge_companions(const JudgedComparison& input, Faults& faults) {
  constexpr std::array<Companion, 10> companions = {
      Companion{"kernels_per_step", own_kernels_metric},
      Companion{"kernels_per_step", library_calls_metric},
      Companion{"device_syncs_per_step", "host_syncs_per_step"},
      Companion{would_sync_per_step, "host_syncs_per_step"},
      Companion{"memcpys_per_step", "h2d_copies_per_step"},
      Companion{"pageable_copies_per_step", "h2d_copies_per_step"},
      Companion{"allocated_bytes_per_step", "allocations_per_step"},
      Companion{"loader_allocations_per_batch", "loader_operators_per_batch"},
      Companion{"loader_bytes_per_batch", "loader_operators_per_batch"},
      Companion{"h2d_bytes_per_step", "h2d_copies_per_step"}};
  for (const Companion& companion : companions) {
    Fault* leader = find_fault(faults, FindingCode::work_added, companion.leader);
    Fault* other = find_fault(faults, FindingCode::work_added, companion.metric);
    if (other == nullptr) other = find_fault(faults, FindingCode::would_sync_added, companion.metric);
    if (leader == nullptr || other == nullptr) continue;
    const std::string metric(companion.metric);
    const auto shares = rises(changed_shares(input, metric));
    if (!in_same_boundaries(shares, rises(changed_shares(input, leader->finding.metric)))) continue;
    double sum = 0;
    for (const BoundaryShare& share : shares) sum += share.change;
    take(*other, figure(input, metric, sum), *leader);
  }
}

bool rose_alike(const std::vector<BoundaryShare>& peaks) {
  return peaks.size() > 1 && std::all_of(peaks.begin(), peaks.end(), [&](const BoundaryShare& peak) {
           return peak.change > 0 && peak.change == peaks.front().change;
         });
}

/// The first boundary of the step whose peak rose and whose work grew: memory that it leaves lifts the later peaks too.
Fault* cause_of_peak(const std::vector<BoundaryShare>& peaks, Faults& faults) {
  for (const BoundaryShare& peak : rises(peaks)) {
    if (Fault* operators = added_operators(faults, peak.boundary)) return operators;
    for (const std::string_view metric : {std::string_view("allocations_per_step"), graph_metric}) {
      Fault* work = find_fault(faults, FindingCode::work_added, metric);
      if (work != nullptr && work->finding.boundary == peak.boundary) return work;
    }
    Fault* saved = find_fault(faults, FindingCode::saved_bytes_grew);
    if (saved != nullptr && saved->finding.boundary == peak.boundary) return saved;
  }
  return nullptr;
}

std::string peak_figure(const JudgedComparison& input, const std::string& metric) {
  const auto pair = bytes_pair(input, metric);
  if (!pair) return "";
  std::string text = figure(input, metric, static_cast<double>(pair->difference()));
  const Baseline* baseline = work_baseline(input);
  const auto kind = metric == "peak_allocated_bytes" && baseline != nullptr
                        ? largest_rise(baseline->ledger, input.current.ledger)
                        : std::nullopt;
  if (kind) text += fmt::format(" (mostly {})", kind->kind);
  return text;
}

/// The cause of memory kept between steps, if that memory alone is as much as the peak rose by. Not every boundary's
/// peak rises with it, for example if the old tensor is replaced within the step.
Fault* kept_as_much_as_peak(const JudgedComparison& input, Faults& faults) {
  const auto peak = bytes_pair(input, "peak_allocated_bytes");
  const auto resident = bytes_pair(input, "resident_bytes");
  const bool as_much = peak && resident && resident->difference() >= peak->difference();
  return as_much ? find_fault(faults, FindingCode::kept_alive, "resident_bytes") : nullptr;
}

void merge_peaks(const JudgedComparison& input, Faults& faults) {
  Fault* peak = find_fault(faults, FindingCode::peak_grew, "peak_allocated_bytes");
  if (peak == nullptr) return;
  if (Fault* reserved = find_fault(faults, FindingCode::peak_grew, "peak_reserved_bytes"))
    take(*reserved, peak_figure(input, "peak_reserved_bytes"), *peak);
  const auto peaks = peak_changes(input);
  Fault* whole =
      rose_alike(peaks) ? find_fault(faults, FindingCode::kept_alive, "resident_bytes") : cause_of_peak(peaks, faults);
  if (whole == nullptr) whole = kept_as_much_as_peak(input, faults);
  if (whole == nullptr) return;
  const auto pair = bytes_pair(input, "peak_allocated_bytes");
  // A graph keeps what is allocated anyway.
  const bool keeps = whole->finding.metric == graph_metric || whole->finding.metric == saved_bytes_per_step;
  const bool allocates = whole->finding.code != FindingCode::kept_alive && !keeps;
  if (allocates && pair && static_cast<double>(pair->difference()) > allocated_more(input)) return;
  whole->parts.push_back(peak_figure(input, "peak_allocated_bytes"));
  whole->parts.insert(whole->parts.end(), peak->parts.begin(), peak->parts.end());
  take(*peak, "", *whole);
}

void merge_boundary_time(Faults& faults) {
  for (Fault& slower : faults) {
    if (slower.merged || slower.finding.code != FindingCode::boundary_slower || slower.finding.boundary.empty())
      continue;
    Fault* operators = added_operators(faults, slower.finding.boundary);
    if (operators != nullptr) take(slower, slower.finding.message, *operators);
  }
}

/// Backward runs what forward recorded: a host sync records nothing.
void merge_backward(Faults& faults) {
  Fault* forward = added_operators(faults, "forward");
  Fault* backward = added_operators(faults, "backward");
  if (forward == nullptr || backward == nullptr || is_host_sync(*forward) || is_host_sync(*backward)) return;
  take_whole(*backward, *forward);
}

/// What backward runs more where no cause with a name and no operator of forward explains it: the nodes that are
/// recorded more, as after requires_grad_() of a layer that was frozen. The optimizer then updates that layer.
void merge_recorded_nodes(Faults& faults) {
  Fault* graph = find_fault(faults, FindingCode::work_added, graph_metric);
  Fault* backward = added_operators(faults, name_of(Boundary::backward));
  if (graph == nullptr || backward == nullptr || is_host_sync(*backward)) return;
  take_whole(*backward, *graph);
  Fault* optimizer = added_operators(faults, name_of(Boundary::optimizer));
  if (optimizer != nullptr && !is_host_sync(*optimizer)) take_whole(*optimizer, *graph);
}

/// The red metrics that a cause explains, each as far as it lies in the cause's boundaries, in thousandths: shares that
/// are equal but for rounding keep their order.
///
/// A value that is not finite makes every later one meaningless, more padding makes every later tensor larger, what
/// grows with the steps gets worse the longer a run lasts, and operators that are gone are a cause only where they
/// explain other losses: they come first.
std::int64_t strength(const JudgedComparison& input, const Fault& fault) {
  const Finding& finding = fault.finding;
  // A switch holds for the whole process, and the lines of what moved with it did not change.
  if (finding.code == FindingCode::program_changed_setting) return std::numeric_limits<std::int64_t>::max();
  const bool pads_more = finding.metric == "padding_tokens_per_step" && is_red(input, finding.metric);
  constexpr std::array leading = {FindingCode::non_finite, FindingCode::grows_with_steps,
                                  FindingCode::operator_removed};
  const bool leads = std::find(leading.begin(), leading.end(), finding.code) != leading.end();
  if (leads || pads_more) return std::numeric_limits<std::int64_t>::max() - 1;
  double explained = 0;
  for (const std::string& metric : finding.also) {
    if (is_red(input, metric)) explained += share_explained(input, fault, metric);
  }
  const bool tells_least = finding.code == FindingCode::operator_added && adds_only_views(input, finding.boundary);
  if (is_red(input, finding.metric) && !tells_least) explained += share_explained(input, fault, finding.metric);
  return std::llround(1000 * explained);
}

}  // namespace

std::vector<Finding> merge_causes(const JudgedComparison& input, std::vector<Finding> findings) {
  Faults faults;
  std::vector<Finding> others;
  for (Finding& finding : findings) {
    if (finding.severity == Severity::cause) {
      faults.push_back(fault_of(std::move(finding)));
      Fault& fault = faults.back();
      if (is_operator_cause(fault)) fault.steps = affected_steps(step_spread(input, "operators_per_step"));
    } else {
      others.push_back(std::move(finding));
    }
  }
  merge_padding(input, faults);
  merge_device_causes(input, faults);
  merge_work(input, faults);
  merge_saved_bytes(input, faults);
  merge_companions(input, faults);
  merge_peaks(input, faults);
  merge_growing_time(faults);
  merge_boundary_time(faults);
  merge_backward(faults);
  merge_inference_causes(faults);
  merge_named_causes(input, faults);
  merge_recorded_nodes(faults);
  merge_removed_operators(input, faults, others);
  std::erase_if(faults, [](const Fault& fault) { return fault.merged; });
  std::stable_sort(faults.begin(), faults.end(),
                   [&](const Fault& a, const Fault& b) { return strength(input, a) > strength(input, b); });
  std::vector<Finding> merged;
  for (Fault& fault : faults) merged.push_back(written(std::move(fault)));
  merged.insert(merged.end(), others.begin(), others.end());
  return merged;
}

}  // namespace stepgate
