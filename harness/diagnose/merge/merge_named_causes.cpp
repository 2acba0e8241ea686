#include "diagnose/merge/merge_named_causes.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "core/boundary.h"
#include "core/leading_time.h"
#include "core/metric.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/merge/taken_work.h"
#include "diagnose/work/model_bytes.h"
#include "diagnose/work/model_size.h"
#include "diagnose/work/saved_bytes.h"

namespace stepgate {
namespace {

/// Takes causes of one kind that a named cause brings along.
using Taker = void (*)(const JudgedComparison& input, Fault& named, Faults& faults);

/// What a cause takes: the operators of its own boundary with what they save for backward, and the rest by this row.
struct Reach {
  FindingCode code;
  std::array<std::string_view, 3> boundaries;  ///< it takes their operators too
  bool operators = true;                       ///< false: it takes what its takers take, and no more
  bool per_step = false;                       ///< its sentence counts calls per step
  bool loops = false;                          ///< it takes many calls of an operator too: they are what it is
  bool syncs = false;                          ///< it takes host syncs too
  std::array<Taker, 4> takers = {};            ///< what else it takes, in this order
};

void take_operators(const Reach& reach, std::string_view boundary, Fault& named, Faults& faults) {
  Fault* operators = boundary.empty() ? nullptr : added_operators(faults, boundary);
  if (operators == nullptr || (is_host_sync(*operators) && !reach.syncs)) return;
  // With more parameters an optimizer calls each operator more often: no loop in place of a batch.
  if (operators->finding.code == FindingCode::loop_instead_of_batch && boundary != name_of(Boundary::optimizer) &&
      !reach.loops)
    return;
  if (reach.per_step && named.steps.empty()) named.steps = operators->steps;
  take_whole(*operators, named);
}

/// Takes growth of memory by at most so many bytes.
void take_memory(const JudgedComparison& input, double bytes, Fault& named, Faults& faults) {
  const auto explained = [&](const char* metric) {
    const auto pair = bytes_pair(input, metric);
    return pair && static_cast<double>(pair->difference()) <= bytes;
  };
  Fault* kept = find_fault(faults, FindingCode::kept_alive);
  if (kept != nullptr && explained("resident_bytes")) take_whole(*kept, named);
  Fault* peak = find_fault(faults, FindingCode::peak_grew);
  if (peak != nullptr && explained("peak_allocated_bytes")) take_whole(*peak, named);
}

/// A parameter has a gradient and state of the optimizer, each a block of its own.
constexpr double blocks_per_parameter = 4;

void take_model_memory(const JudgedComparison& input, Fault& named, Faults& faults) {
  const auto model = static_cast<double>(more_model_bytes(input));
  if (model == 0) return;
  const auto tensors = static_cast<double>(more_parameter_tensors(input).value_or(1));
  if (Fault* checkpoint = find_fault(faults, FindingCode::checkpoint_grew)) take_whole(*checkpoint, named);
  take_memory(input, model + allocated_more(input) + allocation_rounding * blocks_per_parameter * tensors, named,
              faults);
}

/// The gradients stay, and they are as large as the parameters.
void take_gradient_memory(const JudgedComparison& input, Fault& named, Faults& faults) {
  if (!input.current.ledger) return;
  const auto parameters = input.current.ledger->bytes.find("parameters");
  if (parameters == input.current.ledger->bytes.end()) return;
  take_memory(input, static_cast<double>(parameters->second) + allocated_more(input), named, faults);
}

void take_growing_memory(const JudgedComparison& /*input*/, Fault& named, Faults& faults) {
  if (Fault* graphs = find_fault(faults, FindingCode::work_added, "held_graphs_per_step")) take(*graphs, "", named);
  if (Fault* graphs = find_fault(faults, FindingCode::graphs_held); graphs != nullptr && graphs != &named)
    take(*graphs, "", named);
  for (const FindingCode code :
       {FindingCode::leak_grew, FindingCode::counter_grew, FindingCode::kept_alive, FindingCode::peak_grew}) {
    while (Fault* growth = find_fault(faults, code)) take_whole(*growth, named);
  }
}

/// A graph that reaches into past steps keeps their memory: that is how a lost detach() shows.
void take_memory_left_behind(const JudgedComparison& input, Fault& named, Faults& faults) {
  if (is_red(input, named.finding.metric) && named.finding.metric != "operators_per_step")
    take_growing_memory(input, named, faults);
}

/// A graph that reaches one step further each time makes counts grow with the steps.
void take_growth_with_steps(const JudgedComparison& /*input*/, Fault& named, Faults& faults) {
  if (Fault* growth = find_fault(faults, FindingCode::grows_with_steps)) take_whole(*growth, named);
}

/// Counters of work that grow with the steps are parts of that growth: its sentence has their figures.
void take_growing_work(const JudgedComparison& /*input*/, Fault& named, Faults& faults) {
  const std::vector<std::string> grown = named.finding.also;
  for (Fault& work : faults) {
    const std::string& metric = work.finding.metric;
    const bool grows = metric == named.finding.metric || std::find(grown.begin(), grown.end(), metric) != grown.end();
    const bool counts =
        work.finding.code == FindingCode::work_added || work.finding.code == FindingCode::saved_bytes_grew;
    if (!work.merged && grows && counts) take(work, "", named);
  }
}

/// What the step computes, moves and keeps more where the model itself is larger.
void take_work_of_model(const JudgedComparison& input, Fault& named, Faults& faults) {
  take_rises(input,
             {.metrics = {"flops_per_step", "bytes_touched_per_step", "allocated_bytes_per_step", saved_bytes_per_step},
              .boundaries = {"forward", "backward", "optimizer"}},
             named, faults);
}

/// To zero and to add up gradients touches them.
void take_work_on_gradients(const JudgedComparison& input, Fault& named, Faults& faults) {
  take_rises(input, {.metrics = {"bytes_touched_per_step"}, .boundaries = {"backward", "optimizer"}}, named, faults);
}

/// Wider tensors of its boundary go on into backward, and as the loss into logging.
void take_wider_work(const JudgedComparison& input, Fault& named, Faults& faults) {
  take_rises(input,
             {.metrics = {"bytes_touched_per_step", "allocated_bytes_per_step", saved_bytes_per_step, "casts_per_step",
                          "cast_bytes_per_step", "copy_bytes_per_step"},
              .boundaries = {"backward", "logging"}},
             named, faults);
}

/// What the node of its own boundary records more.
void take_recorded_nodes(const JudgedComparison& /*input*/, Fault& named, Faults& faults) {
  Fault* nodes = find_fault(faults, FindingCode::work_added, "autograd_nodes_per_step");
  if (nodes != nullptr && nodes->finding.boundary == named.finding.boundary) take_whole(*nodes, named);
}

/// The batches that are kept, as far as they explain what each step leaves and what it holds at its peak.
void take_kept_batches(const JudgedComparison& input, Fault& named, Faults& faults) {
  double of_step = 0;
  double of_pass = 0;
  for (const KeptTensor& kept : input.current.kept_tensors) {
    const double block = static_cast<double>(kept.bytes) + allocation_rounding;
    of_step += block;
    of_pass += block * static_cast<double>(kept.times);
  }
  const auto leak = bytes_pair(input, "leak_bytes_per_step");
  if (leak && static_cast<double>(leak->difference()) > of_step) return;
  if (Fault* growth = find_fault(faults, FindingCode::leak_grew)) take_whole(*growth, named);
  take_memory(input, of_pass, named, faults);
}

/// .to() in the same boundary is how the values get their dtype.
void take_conversions(const JudgedComparison& /*input*/, Fault& named, Faults& faults) {
  Fault* conversion = find_fault(faults, FindingCode::conversion_added);
  if (conversion != nullptr && conversion->finding.boundary == named.finding.boundary) take_whole(*conversion, named);
}

/// A cast reads one tensor and writes another: what its boundary casts, copies and touches more, and what backward
/// does to cast the gradient back.
void take_cast_work(const JudgedComparison& input, Fault& named, Faults& faults) {
  const bool in_forward = named.finding.boundary == name_of(Boundary::forward);
  take_rises(input,
             {.metrics = {"casts_per_step", "cast_bytes_per_step", "copy_bytes_per_step", "bytes_touched_per_step",
                          "allocated_bytes_per_step"},
              .boundaries = {in_forward ? name_of(Boundary::backward) : std::string_view()}},
             named, faults);
}

/// Its products need queries, keys and values in rows.
void take_copies(const JudgedComparison& /*input*/, Fault& named, Faults& faults) {
  Fault* copy = find_fault(faults, FindingCode::copy_after_permute);
  if (copy != nullptr && copy->finding.boundary == named.finding.boundary) take_whole(*copy, named);
}

/// Takes the causes of this list that were found.
void take_each(std::initializer_list<FindingCode> codes, Fault& named, Faults& faults) {
  for (const FindingCode code : codes) {
    if (Fault* numerics = find_fault(faults, code)) take_whole(*numerics, named);
  }
}

/// A model in eval mode computes another loss from the first step on. So does one with other parameters, because they
/// are drawn in another way.
void take_losses(const JudgedComparison& /*input*/, Fault& named, Faults& faults) {
  take_each({FindingCode::forward_changed, FindingCode::gradient_changed, FindingCode::update_changed,
             FindingCode::numerics_diverge},
            named, faults);
}

/// An optimizer without its moments makes other updates from its second step on.
void take_later_losses(const JudgedComparison& /*input*/, Fault& named, Faults& faults) {
  take_each({FindingCode::update_changed, FindingCode::numerics_diverge}, named, faults);
}

void take_parameters(const JudgedComparison& /*input*/, Fault& named, Faults& faults) {
  if (Fault* parameters = find_fault(faults, FindingCode::parameters_added)) take_whole(*parameters, named);
}

/// Wider tensors take more memory and more of each operator's bytes, wherever they are, and they round in another way.
/// Their lines would be the whole model, so only the names of the red figures are added.
void take_wider_tensors(const JudgedComparison& input, Fault& named, Faults& faults) {
  constexpr std::array codes = {
      FindingCode::work_added,       FindingCode::saved_bytes_grew, FindingCode::peak_grew,
      FindingCode::operator_added,   FindingCode::copy_added,       FindingCode::forward_changed,
      FindingCode::gradient_changed, FindingCode::update_changed,   FindingCode::numerics_diverge};
  for (Fault& other : faults) {
    const bool wider = std::find(codes.begin(), codes.end(), other.finding.code) != codes.end();
    if (other.merged || !wider) continue;
    other.finding.sources.clear();
    take(other, is_red(input, other.finding.metric) ? label_of(other.finding.metric) : "", named);
  }
}

bool share_a_line(const Finding& a, const Finding& b) {
  return std::any_of(a.sources.begin(), a.sources.end(), [&](const SourceFrame& line) {
    return std::find(b.sources.begin(), b.sources.end(), line) != b.sources.end();
  });
}

/// Where a step would wait more often, the operators added there are those that wait and what they call. Loops and
/// float64 of the same line are: printing takes a matrix apart by select() and converts it.
void take_where_it_waits(const JudgedComparison& input, Fault& named, Faults& faults) {
  for (const BoundaryShare& share : changed_shares(input, named.finding.metric)) {
    Fault* operators = share.change > 0 ? added_operators(faults, share.boundary) : nullptr;
    const bool own = operators != nullptr && !is_host_sync(*operators) &&
                     (operators->finding.code != FindingCode::loop_instead_of_batch ||
                      share_a_line(operators->finding, named.finding));
    if (own) take_whole(*operators, named);
  }
  constexpr std::array of_a_line = {FindingCode::calls_per_item, FindingCode::indexing_loop, FindingCode::float64_work};
  for (Fault& other : faults) {
    const bool taken = std::find(of_a_line.begin(), of_a_line.end(), other.finding.code) != of_a_line.end();
    if (!other.merged && taken && share_a_line(other.finding, named.finding)) take_whole(other, named);
  }
}

/// Takes the saved bytes of its own boundary: the change there decides what is kept.
void take_saved_bytes(Fault& named, Faults& faults) {
  for (Fault& saved : faults) {
    const bool here =
        saved.finding.code == FindingCode::saved_bytes_grew && saved.finding.boundary == named.finding.boundary;
    if (!saved.merged && here) take_whole(saved, named);
  }
}

// In the order in which they take: the later ones get what is left.
constexpr std::array reaches = {
    Reach{.code = FindingCode::anomaly_mode, .boundaries = {"backward"}, .loops = true, .syncs = true},
    Reach{.code = FindingCode::eval_mode, .boundaries = {"forward", "backward"}, .takers = {take_losses}},
    Reach{.code = FindingCode::batch_norm_added,
          .boundaries = {"forward", "backward", "optimizer"},
          .per_step = true,
          .takers = {take_parameters, take_model_memory, take_losses, take_work_of_model}},
    Reach{.code = FindingCode::conv_bias_before_norm,
          .boundaries = {"forward", "backward", "optimizer"},
          .takers = {take_parameters, take_model_memory, take_losses, take_work_of_model}},
    Reach{
        .code = FindingCode::low_precision_lost, .boundaries = {}, .operators = false, .takers = {take_wider_tensors}},
    Reach{.code = FindingCode::parameters_added,
          .boundaries = {"forward", "backward", "optimizer"},
          .takers = {take_model_memory, take_losses, take_work_of_model}},
    Reach{.code = FindingCode::updates_more_often,
          .boundaries = {"optimizer", "backward"},
          .takers = {take_later_losses}},
    Reach{.code = FindingCode::gradients_zeroed,
          .boundaries = {"optimizer", "backward"},
          .takers = {take_gradient_memory, take_work_on_gradients}},
    Reach{.code = FindingCode::gradients_accumulate,
          .boundaries = {"backward"},
          .loops = true,
          .takers = {take_gradient_memory, take_work_on_gradients}},
    Reach{.code = FindingCode::detach_lost,
          .boundaries = {"backward"},
          .takers = {take_memory_left_behind, take_growth_with_steps, take_recorded_nodes}},
    Reach{.code = FindingCode::graphs_held, .boundaries = {}, .takers = {take_growing_memory, take_growth_with_steps}},
    Reach{.code = FindingCode::grows_with_steps,
          .boundaries = {"backward"},
          .loops = true,
          .takers = {take_growing_work}},
    Reach{.code = FindingCode::optimizer_rebuilt, .boundaries = {"optimizer"}, .takers = {take_later_losses}},
    Reach{.code = FindingCode::single_tensor_optimizer, .boundaries = {"optimizer"}},
    Reach{.code = FindingCode::float64_work,
          .boundaries = {"backward"},
          .takers = {take_conversions, take_wider_work, take_model_memory}},
    Reach{.code = FindingCode::calls_per_item, .boundaries = {"backward"}, .loops = true},
    Reach{.code = FindingCode::indexing_loop, .boundaries = {"backward"}, .loops = true},
    Reach{.code = FindingCode::attention_written_out, .boundaries = {"forward", "backward"}, .takers = {take_copies}},
    Reach{.code = FindingCode::expanded_product, .boundaries = {"backward"}},
    Reach{.code = FindingCode::repeat_for_expand, .boundaries = {"backward"}},
    Reach{.code = FindingCode::channels_last_lost, .boundaries = {"backward"}},
    Reach{.code = FindingCode::copy_in_product, .boundaries = {"backward"}},
    Reach{
        .code = FindingCode::cast_round_trip, .boundaries = {"backward"}, .takers = {take_conversions, take_cast_work}},
    Reach{.code = FindingCode::copy_after_permute, .boundaries = {"backward"}},
    Reach{.code = FindingCode::host_made_tensor, .boundaries = {}},
    Reach{.code = FindingCode::would_sync_added, .boundaries = {}, .takers = {take_where_it_waits, take_conversions}},
    Reach{.code = FindingCode::conversion_added,
          .boundaries = {"backward"},
          .per_step = true,
          .takers = {take_cast_work}},
    Reach{.code = FindingCode::batch_kept, .boundaries = {}, .operators = false, .takers = {take_kept_batches}}};

void take_all_of(const JudgedComparison& input, const Reach& reach, Fault& named, Faults& faults) {
  // A time that grows with the steps calls no operator more often.
  if (reach.operators && !is_leading_time(named.finding.metric)) {
    take_operators(reach, named.finding.boundary, named, faults);
    for (const std::string_view boundary : reach.boundaries) take_operators(reach, boundary, named, faults);
    take_saved_bytes(named, faults);
  }
  for (const Taker taker : reach.takers) {
    if (taker != nullptr) taker(input, named, faults);
  }
}

}  // namespace

void merge_named_causes(const JudgedComparison& input, Faults& faults) {
  for (const Reach& reach : reaches) {
    for (Fault& named : faults) {
      if (!named.merged && named.finding.code == reach.code) take_all_of(input, reach, named, faults);
    }
  }
}

}  // namespace stepgate
