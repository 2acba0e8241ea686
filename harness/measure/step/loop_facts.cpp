#include "measure/step/loop_facts.h"

#include <fmt/format.h>

namespace stepgate {
namespace {

using Reasons = std::map<std::string, std::string>;

constexpr const char* needs_workload = "a loop of its own gives no batch without its step around it: write a workload";
constexpr const char* copies_itself = "the loop copies its batches itself";
constexpr const char* always_logs = "a loop of its own cannot be run without its logging";
constexpr const char* no_tensors = "the loop gave marks.copied() no tensors";

bool is_unmarked(const LoopFacts& facts, Boundary boundary) {
  return facts.unmarked.test(static_cast<std::size_t>(boundary));
}

/// The boundary that time of `boundary` goes to; logging is always marked, by next_step().
Boundary next_marked(const LoopFacts& facts, Boundary boundary) {
  auto index = static_cast<std::size_t>(boundary);
  while (facts.unmarked.test(index)) ++index;
  return all_boundaries[index];
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
    reasons[fmt::format("{}_ns", name_of(boundary))] =
        fmt::format("the loop does not mark {0}: its time is part of {1}", name_of(boundary),
                    name_of(next_marked(facts, boundary)));
  }
  return reasons;
}

Reasons absent_work(const LoopFacts& facts) {
  Reasons reasons = {{"pageable_copies_per_step", copies_itself}};
  if (!facts.tensors_given) {
    for (const char* metric : {"h2d_copies_per_step", "h2d_bytes_per_step", "shapes_seen"}) {
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
  return group == Group::exact ? absent_work(facts) : absent_times(facts);
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
