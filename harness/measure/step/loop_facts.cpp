#include "measure/step/loop_facts.h"

#include <fmt/format.h>

#include "measure/step/inference/inference_boundaries.h"

namespace stepgate {
namespace {

using Reasons = std::map<std::string, std::string>;

constexpr const char* needs_workload = "a loop of its own gives no batch without its step around it: write a workload";
constexpr const char* copies_itself = "the loop copies its batches itself";
constexpr const char* always_logs = "a loop of its own cannot be run without its logging";
constexpr const char* saves_itself = "a loop of its own saves when it likes: give the save a boundary of its own";
constexpr const char* no_tensors = "the loop gave marks.copied() no tensors";

bool is_unmarked(const LoopFacts& facts, Boundary boundary) {
  return !is_own(boundary) && facts.unmarked.test(static_cast<std::size_t>(boundary));
}

/// The time of an unmarked boundary goes to the next one, which is always there since next_step() marks logging.
/// Boundaries of the loop's own between it and the last one before it that is marked may have its work too.
std::string takes_its_time(const LoopFacts& facts, Boundary boundary) {
  const std::vector<Boundary>& order = facts.boundaries.order();
  std::string names;
  std::size_t place = facts.boundaries.place_of(boundary);
  for (std::size_t i = place; i-- > 0 && (is_own(order[i]) || is_unmarked(facts, order[i]));) {
    if (is_own(order[i])) names = fmt::format("{} or {}", facts.boundaries.name(order[i]), names);
  }
  while (is_unmarked(facts, order[place])) ++place;
  return names + std::string(facts.boundaries.name(order[place]));
}

Reasons absent_times(const LoopFacts& facts) {
  Reasons reasons = {{"synthetic_step_ns", needs_workload},
                     {"stall_ratio", needs_workload},
                     {"loader_samples_per_s", needs_workload},
                     {"supply_ratio", needs_workload},
                     {"h2d_batch_bytes_per_s", copies_itself},
                     {"h2d_split_ratio", copies_itself},
                     {"h2d_pageable_bytes_per_s", copies_itself},
                     {"h2d_pinned_bytes_per_s", copies_itself},
                     {"h2d_link_share", copies_itself},
                     {"h2d_overlap_ratio", copies_itself},
                     {"logging_cost_ns", always_logs}};
  for (const Boundary boundary : all_boundaries) {
    if (!is_unmarked(facts, boundary)) continue;
    reasons[std::string(row_of(boundary).metric)] = fmt::format("the loop does not mark {}: its time is part of {}",
                                                                name_of(boundary), takes_its_time(facts, boundary));
  }
  return reasons;
}

Reasons absent_work(const LoopFacts& facts) {
  Reasons reasons = {{"pageable_copies_per_step", copies_itself}};
  if (!facts.tensors_given) {
    for (const char* metric :
         {"h2d_copies_per_step", "h2d_bytes_per_step", "shapes_seen", "cold_shapes_after_warmup"}) {
      reasons[metric] = no_tensors;
    }
  }
  if (!facts.parameters_given) {
    reasons["grad_norm"] = "the loop did not call marks.parameters()";
  } else if (is_unmarked(facts, Boundary::backward)) {
    reasons["grad_norm"] = "the loop does not mark backward: gradients are gone when the optimizer has run";
  }
  return reasons;
}

}  // namespace

Reasons absent_in_loop(Group group, const LoopFacts& facts) {
  Reasons reasons = group == Group::exact ? absent_work(facts) : absent_times(facts);
  if (facts.answers) {
    for (const auto& [metric, reason] : absent_in_inference(group)) reasons[metric] = reason;
  }
  return reasons;
}

Reasons unsaved_in_loop(Group group, const StepCounts& steps) {
  if (group == Group::timed && steps.checkpoint > 0) return {{"checkpoint_save_ns", saves_itself}};
  if (group == Group::exact && steps.checkpoint_bytes > 0) return {{"checkpoint_bytes", saves_itself}};
  return {};
}

void declare_absent(const Reasons& absent, RunRecord& record) {
  for (const auto& [metric, reason] : absent) {
    record.absent[metric] = reason;
    if (record.counts) {
      record.counts->per_step.erase(metric);
      record.counts->by_boundary.erase(metric);
    }
  }
  if (record.numerics && absent.contains("grad_norm")) record.numerics->grad_norm.clear();
}

}  // namespace stepgate
