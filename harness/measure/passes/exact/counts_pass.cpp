#include <array>
#include <set>
#include <string>

#include "core/record/shape_metrics.h"
#include "measure/passes/exact/exact_passes.h"
#include "measure/passes/exact/log_marks.h"
#include "measure/step/boundary_action.h"
#include "measure/step/step_checks.h"

namespace stepgate {
namespace {

/// All counters at one moment.
struct Reading {
  WorkTotals work;
  MemoryStats memory;
};

// Taken anew on both sides of each boundary, the allocator's counters always on the inner side: whatever
// totals() allocates or frees falls between two boundaries and is charged to none.
Reading read_before(Backend& backend, WorkCounter& counter) {
  Reading result;
  result.work = counter.totals();
  result.memory = backend.memory();
  return result;
}

Reading read_after(Backend& backend, WorkCounter& counter) {
  Reading result;
  result.memory = backend.memory();
  result.work = counter.totals();
  return result;
}

constexpr const char* skips_metric = "amp_skips_per_step";
constexpr const char* graph_answers_metric = "graph_answers_per_step";
constexpr const char* training_modules_metric = "training_modules";

/// The input shapes of the pass so far, its warm-up included.
class ShapesSeen {
 public:
  void add(std::uint64_t shape) { last_is_new_ = shapes_.insert(shape).second; }
  std::int64_t number() const { return static_cast<std::int64_t>(shapes_.size()); }
  bool last_is_new() const { return last_is_new_; }

 private:
  std::set<std::uint64_t> shapes_;
  bool last_is_new_ = false;
};

using Metrics = std::map<std::string, std::int64_t>;
using HeldGraphs = std::map<std::string, std::int64_t>;

Metrics metrics_between(const Reading& before, const Reading& after) {
  Metrics result;
  std::int64_t calls = 0;
  for (const auto& [name, count] : after.work.operators) calls += count;
  for (const auto& [name, count] : before.work.operators) calls -= count;
  result["operators_per_step"] = calls;
  for (const auto& [metric, total] : after.work.counters) result[metric] = total - before.work.counters.at(metric);
  result["allocations_per_step"] = after.memory.allocations - before.memory.allocations;
  result["allocated_bytes_per_step"] = after.memory.requested_bytes - before.memory.requested_bytes;
  return result;
}

/// What the loader does is told apart from the step (docs/design/processes_and_passes.md, "Loader work is counted
/// apart"), so that work which moves from one to the other shows, and so that a loader with workers stays comparable.
/// Host syncs count wherever they happen.
const std::string& metric_at(Boundary boundary, const std::string& metric) {
  static const std::map<std::string, std::string> of_loader = {{"operators_per_step", "loader_operators_per_batch"},
                                                               {"allocations_per_step", "loader_allocations_per_batch"},
                                                               {"allocated_bytes_per_step", "loader_bytes_per_batch"}};
  const auto at = of_loader.find(metric);
  return boundary == Boundary::data_wait && at != of_loader.end() ? at->second : metric;
}

class CountsRecorder {
 public:
  CountsRecorder(const StepBoundaries& boundaries, WorkCounts& counts) : boundaries_(boundaries), counts_(counts) {}

  void add_boundary(Boundary boundary, const Reading& before, const Reading& after) {
    const std::string where(boundaries_.name(boundary));
    for (const auto& [metric, value] : metrics_between(before, after)) {
      const std::string& name = metric_at(boundary, metric);
      step_[name] += value;
      counts_.by_boundary[name][where] += value;
    }
    auto& operators = counts_.operators[where];
    for (const auto& [name, count] : after.work.operators) {
      const auto earlier = before.work.operators.find(name);
      const std::int64_t calls = count - (earlier == before.work.operators.end() ? 0 : earlier->second);
      if (calls != 0) operators[name] += calls;
    }
    add_device_calls(where, before.work.device_calls, after.work.device_calls);
  }

  void add_batch(const BatchInfo& batch) {
    add_at(Boundary::h2d, "h2d_copies_per_step", batch.h2d_copies);
    add_at(Boundary::h2d, "h2d_bytes_per_step", batch.h2d_bytes);
    if (batch.pageable_copies) add_at(Boundary::h2d, "pageable_copies_per_step", *batch.pageable_copies);
    if (batch.padded_tokens > 0) {
      add_at(Boundary::data_wait, "padding_tokens_per_step", batch.padded_tokens - batch.effective_tokens);
    }
    if (batch.graphs) {
      step_["graphs_after_warmup"] = batch.graphs->captured;
      step_["graph_kernel_nodes"] = batch.graphs->kernel_nodes;
      step_["graph_memcpy_nodes"] = batch.graphs->memcpy_nodes;
      step_["graph_memset_nodes"] = batch.graphs->memset_nodes;
      if (batch.graphs->pool_bytes) step_["graph_pool_bytes"] = *batch.graphs->pool_bytes;
      step_["graph_recording_ns"] = batch.graphs->recording_ns;
    }
    step_["samples_per_step"] = batch.samples;
    step_["padded_tokens_per_step"] = batch.padded_tokens;
    step_["effective_tokens_per_step"] = batch.effective_tokens;
  }

  /// `sizes` as StepWatch::input_sizes(). The record has the sizes of all counted batches and of the cold ones.
  void add_shape(const std::string& sizes, const ShapesSeen& shapes) {
    step_[shapes_seen] = shapes.number();
    add_at(Boundary::data_wait, cold_shapes_after_warmup, shapes.last_is_new() ? 1 : 0);
    if (sizes.empty()) return;
    const std::string where(name_of(Boundary::data_wait));
    ++counts_.device_calls[shapes_seen][where][sizes];
    if (shapes.last_is_new()) ++counts_.device_calls[cold_shapes_after_warmup][where][sizes];
  }

  void add_held_graphs(const HeldGraphs& held) {
    step_["held_graphs_per_step"] = 0;
    for (const auto& [boundary, graphs] : held) {
      step_["held_graphs_per_step"] += graphs;
      counts_.by_boundary["held_graphs_per_step"][boundary] += graphs;
    }
  }

  void add_skipped_updates(std::int64_t more) {
    step_[skips_metric] = more;
    counts_.by_boundary[skips_metric][std::string(name_of(Boundary::optimizer))] += more;
  }

  /// Of a step that answers a request. `held`: answers with a graph of this step.
  void add_answer(const StepAnswers& answers, std::int64_t held) {
    step_[graph_answers_metric] = held;
    counts_.by_boundary[graph_answers_metric][infer_name] += held;
    if (const auto modules = answers.training_modules()) step_[training_modules_metric] = std::ssize(*modules);
  }

  void finish_step() {
    for (const auto& [metric, value] : step_) counts_.per_step[metric].push_back(value);
    step_.clear();
  }

 private:
  using DeviceCalls = std::map<std::string, std::map<std::string, std::int64_t>>;

  void add_device_calls(const std::string& where, const DeviceCalls& before, const DeviceCalls& after) {
    for (const auto& [metric, calls] : after) {
      for (const auto& [call, total] : calls) {
        const auto earlier = before.find(metric);
        const bool known = earlier != before.end() && earlier->second.contains(call);
        const std::int64_t more = total - (known ? earlier->second.at(call) : 0);
        if (more != 0) counts_.device_calls[metric][where][call] += more;
      }
    }
  }

  void add_at(Boundary boundary, const std::string& metric, std::int64_t value) {
    step_[metric] = value;
    counts_.by_boundary[metric][std::string(name_of(boundary))] += value;
  }

  const StepBoundaries& boundaries_;
  WorkCounts& counts_;
  Metrics step_;
};

/// The device ends each step before the next one begins, outside of what is counted. A host that runs ahead would find
/// some pinned blocks still in use and make new ones, so that the number of allocations depended on time.
void warm(StepActions& actions, Backend& backend, std::int64_t steps, ShapesSeen& shapes) {
  for (std::int64_t step = 0; step < steps; ++step) {
    run_boundaries(
        actions, step, [](Boundary) {}, [](Boundary) {});
    shapes.add(actions.batch_info().shape);
    actions.release();
    backend.synchronize_after_step();
  }
}

/// What could not be counted to the end is no smaller number.
void drop_absent(const WorkCounter& counter, WorkCounts& counts) {
  for (const auto& [metric, reason] : counter.absent()) {
    counts.per_step.erase(metric);
    counts.by_boundary.erase(metric);
    counts.device_calls.erase(metric);
  }
}

}  // namespace

WorkCounts run_counts(StepActions& actions, Backend& backend, WorkCounter& counter, const StepCounts& steps) {
  require_positive({"counts", steps.counts});
  require_not_negative({"exact_warmup", steps.exact_warmup});
  ShapesSeen shapes;
  StepAbilities abilities = actions.abilities();
  if (abilities.watch) abilities.watch->watch_closely();
  warm(actions, backend, steps.exact_warmup, shapes);
  abilities = actions.abilities();
  WorkCounts counts;
  CountsRecorder recorder(actions.boundaries(), counts);
  auto skipped = abilities.skipped_updates();
  std::int64_t graph_answers = abilities.answers != nullptr ? abilities.answers->graph_answers() : 0;
  counter.start();
  for (std::int64_t step = 0; step < steps.counts; ++step) {
    Reading before;
    mark_step(backend, {log_marks::counts, step, StepEnd::begin});
    run_boundaries(
        actions, steps.exact_warmup + step,
        [&](Boundary boundary) {
          counter.enter(actions.boundaries().name(boundary));
          before = read_before(backend, counter);
        },
        [&](Boundary boundary) {
          recorder.add_boundary(boundary, before, read_after(backend, counter));
          counter.leave();
        });
    counter.end_step();
    mark_step(backend, {log_marks::counts, step, StepEnd::end});
    const BatchInfo batch = actions.batch_info();
    shapes.add(batch.shape);
    recorder.add_batch(batch);
    recorder.add_shape(abilities.watch ? abilities.watch->input_sizes() : "", shapes);
    actions.release();
    backend.synchronize_after_step();
    recorder.add_held_graphs(abilities.watch ? abilities.watch->held_graphs() : HeldGraphs{});
    if (const auto now = abilities.skipped_updates()) {
      recorder.add_skipped_updates(*now - skipped.value_or(0));
      skipped = now;
    }
    // A loop turns out to answer requests in its first step, which may be a counted one.
    if (const StepAnswers* const answers = actions.abilities().answers) {
      recorder.add_answer(*answers, answers->graph_answers() - graph_answers);
      graph_answers = answers->graph_answers();
    }
    recorder.finish_step();
  }
  counts.worker_operators = counter.totals().worker_operators;
  counter.stop();
  drop_absent(counter, counts);
  counts.observed = counter.take_observed();
  return counts;
}

}  // namespace stepgate
