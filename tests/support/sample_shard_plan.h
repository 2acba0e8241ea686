// The files of a comparison over nodes, with every optional present.
#pragma once

#include "core/study/shard_plan.h"

namespace stepgate {

inline ShardPlan sample_shard_plan() {
  ShardPlan plan;
  plan.version = "0.1.0";
  plan.launcher_digest = "00ff";
  plan.base_build = "../before/build/release";
  plan.head_build = "build/release";
  plan.head_manifest = "/work/build/release/stepgate-manifest.json";
  plan.manifest_digest = "ff00";
  plan.baseline_root = "/work/baselines";
  plan.data_dir = "/data";
  plan.tier = TierChoice::all;
  plan.runner_class = "h200-16c";
  plan.guard = "process";
  plan.passed = {"CUBLAS_WORKSPACE_CONFIG", "MY_FLAG"};
  plan.shards = 4;
  plan.layout = NodeLayout::by_case;
  plan.require_gpu = true;
  plan.mixed_nodes = true;
  PlannedCase& planned = plan.cases.emplace_back();
  planned.plan.case_name = "language/char_lm/tiny";
  planned.plan.utc = "2026-11-21T10:00:00Z";
  planned.plan.order_seed = 0xffffffffffffffff;
  planned.plan.most_pairs = 16;
  planned.plan.policy_digest = "0123";
  planned.plan.machine = "node3 CPU 0-7; a CPU; start 1";
  planned.plan.plan.params = {{"batch_size", "8"}};
  planned.tries = 24;
  planned.may_lengthen = true;
  planned.policy_digest = "0123";
  return plan;
}

inline ShardPlan sample_sweep_plan() {
  ShardPlan plan = sample_shard_plan();
  plan.sweep = SweepPlan{.metric = "samples_per_s", .parameters = {{"batch_size", {"8", "16"}}}};
  plan.cases.front().tries = plan.cases.front().plan.plan.timed_replicates;
  return plan;
}

inline ShardWork sample_shard_work() {
  return {
      .shard = 2, .attempt = 1, .control_case = "a/b/c", .shares = {{"a/b/c", {0, 4, 8}, true}, {"a/b/d", {}, false}}};
}

/// Of a setting that was not started.
inline NodeResult sample_round_result() {
  return {.kind = NodeResultKind::round,
          .plan_digest = "abcd",
          .place = "node3",
          .case_name = "language/char_lm/tiny",
          .base = {},
          .head = {},
          .settings = {Measurement{}}};
}

inline NodeResult sample_node_result(const Measurement& base, const Measurement& head) {
  return {.kind = NodeResultKind::control,
          .plan_digest = "abcd",
          .shard = 3,
          .attempt = 1,
          .place = "node3 cpus 0-7 gpus GPU-1",
          .case_name = "language/char_lm/tiny",
          .index = 7,
          .head_first = true,
          .interleaved = true,
          .base = base,
          .head = head};
}

}  // namespace stepgate
