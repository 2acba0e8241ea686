// A complete profile for writers and renderers: every word of proof, an experiment that could not run, an operator
// without a line, one on no roof, calls of lines and of a function that ran twice, and a checklist with every answer.
#pragma once

#include "core/study/profile.h"

namespace stepgate {

inline ObservedTensor sample_tensor(std::vector<std::int64_t> sizes, std::string dtype = "float32") {
  ObservedTensor tensor{.sizes = std::move(sizes), .strides = {}, .dtype = std::move(dtype)};
  std::int64_t stride = 1;
  for (auto size = tensor.sizes.rbegin(); size != tensor.sizes.rend(); ++size) {
    tensor.strides.insert(tensor.strides.begin(), stride);
    stride *= *size;
  }
  return tensor;
}

inline std::vector<OperatorRow> sample_operator_rows() {
  OperatorRow attention;
  attention.site = {.boundary = "backward",
                    .name = "aten::_scaled_dot_product_flash_attention_for_cpu_backward",
                    .for_forward = true,
                    .inputs = {sample_tensor({8, 4, 64, 16})},
                    .calls = 2,
                    .leaf_calls = 2,
                    .flops = 41'943'040,
                    .has_formula = true,
                    .bytes = 2'097'152,
                    .self_ns = 1'400'000,
                    .total_ns = 1'400'000};
  attention.at = SourceFrame{"Block::attention", "language/transformer.cpp", 34};
  attention.self_ns = 1'230'000;
  attention.roof_ns = 430'000;
  attention.efficiency = 0.35;
  OperatorRow product;
  product.site = {.boundary = "forward",
                  .name = "aten::mm",
                  .parent = "aten::linear",
                  .inputs = {sample_tensor({512, 64}), sample_tensor({64, 256})},
                  .outputs = {sample_tensor({512, 256})},
                  .calls = 4,
                  .leaf_calls = 4,
                  .flops = 67'108'864,
                  .has_formula = true,
                  .bytes = 2'883'584,
                  .allocated_bytes = 2'097'152,
                  .self_ns = 1'200'000,
                  .total_ns = 1'200'000};
  product.at = SourceFrame{"Block::forward", "language/transformer.cpp", 41};
  product.self_ns = 1'060'000;
  product.roof_ns = 690'000;
  product.efficiency = 0.65;
  OperatorRow copy;
  copy.site = {.boundary = "optimizer",
               .name = "aten::_to_copy",
               .inputs = {sample_tensor({}, "float64")},
               .calls = 140,
               .leaf_calls = 140,
               .bytes = 1'680,
               .self_ns = 600'000,
               .total_ns = 900'000};
  copy.at = SourceFrame{"CharLm::optimizer_step", "language/char_lm.cpp", 68};
  copy.self_ns = 550'000;
  copy.roof_ns = 50'400;
  copy.efficiency = 0.09;
  copy.overhead = true;
  copy.calls_are = "5 per parameter tensor";
  OperatorRow gelu;
  gelu.site = {.boundary = "backward",
               .name = "aten::gelu_backward",
               .inputs = {sample_tensor({512, 256})},
               .calls = 2,
               .leaf_calls = 2,
               .flops = 262'144,
               .has_formula = true,
               .bytes = 3'145'728,
               .self_ns = 500'000,
               .total_ns = 500'000};
  gelu.self_ns = 440'000;
  gelu.roof_ns = 33'000;
  gelu.efficiency = 0.075;
  gelu.below_ridge = true;
  return {attention, product, copy, gelu};
}

inline std::vector<ExperimentResult> sample_experiment_results() {
  const auto result = [](Experiment experiment, double effect, Interval interval, Proof proof) {
    ExperimentResult one{.experiment = experiment, .processes = 4};
    one.effect = effect;
    one.interval = interval;
    one.proof = proof;
    return one;
  };
  std::vector<ExperimentResult> results = {
      result(Experiment::synthetic_batch, 0.004, {-0.003, 0.008}, Proof::refuted),
      result(Experiment::delayed_loader, 0.02, {-0.05, 0.09}, Proof::refuted),
      result(Experiment::doubled_batch, 1.75, {1.73, 1.77}, Proof::proven),
      result(Experiment::optimizer_fused, 0.059, {0.04, 0.078}, Proof::proven),
      result(Experiment::logging_off, 0.002, {-0.002, 0.006}, Proof::refuted),
      result(Experiment::doubled_threads, 0.69, {0.66, 0.72}, Proof::proven),
      result(Experiment::busy_core, 0.001, {-0.004, 0.006}, Proof::refuted),
      result(Experiment::bandwidth_thief, 0.03, {0.005, 0.055}, Proof::undecided),
  };
  results.back().more_processes = 2;
  results[1].remark = "the larger delay does not act in proportion";
  ExperimentResult replay{.experiment = Experiment::operator_replay, .processes = 4};
  replay.effect = 0.17;
  replay.proof = Proof::predicted;
  results.push_back(replay);
  for (const Experiment later : {Experiment::cuda_graph, Experiment::delayed_stream}) {
    ExperimentResult one{.experiment = later};
    one.absent = "needs a GPU";
    results.push_back(one);
  }
  return results;
}

inline std::vector<ChecklistEntry> sample_checklist() {
  return {{"points", "1", "warm-up and synchronisation", Answer::ok, "steady after 21 steps"},
          {"points", "3", "item, print or copy in the hot path", Answer::warning, "1 aten::item at char_lm.cpp:61"},
          {"points", "8", "small operators batched or fused", Answer::look, "dispatch 8 % of the step"},
          {"points", "9", "shapes for Tensor Cores", Answer::needs_gpu, "no GPU in this run"},
          {"points", "13", "batch of distributed training", Answer::not_applicable, "one rank"},
          {"points", "18", "loss still aligned", Answer::unknown, "no other build was compared"},
          {"smoke", "held-graphs", "does logging hold a graph", Answer::ok, "held bytes do not grow"},
          {"mistakes", "no-warm-up", "profiled without warm-up", Answer::ok, "unsteady cases are refused"}};
}

inline std::vector<CallCost> sample_call_costs() {
  CallCost loss{.at = {"CharLm::loss", "language/char_lm.cpp", 0},
                .name = "CharLm::loss",
                .observed = 0.31,
                .observed_range = Interval{0.3, 0.32},
                .most_overshoot = 0.02,
                .most_repeating = 0.001,
                .calls = 96,
                .processes = 6,
                .effect = 0.284,
                .interval = Interval{0.262, 0.306},
                .proof = Proof::proven};
  CallCost product{.at = {"Block::forward", "language/transformer.cpp", 41},
                   .name = "transformer.cpp:41",
                   .observed = 0.114,
                   .calls = 4,
                   .processes = 6,
                   .effect = 0.123,
                   .interval = Interval{0.11, 0.136},
                   .proof = Proof::proven};
  CallCost mask{.at = {"Block::attention", "language/transformer.cpp", 34},
                .name = "transformer.cpp:34",
                .observed = 0.02,
                .calls = 2,
                .processes = 6,
                .effect = 0.013,
                .interval = Interval{-0.004, 0.03},
                .proof = Proof::undecided};
  CallCost exchange{.at = {"CharLm::exchange", "language/char_lm.cpp", 88},
                    .name = "char_lm.cpp:88",
                    .observed = 0.05,
                    .absent = "it calls nothing that may run twice"};
  return {loss, product, mask, exchange};
}

inline Profile sample_profile() {
  Profile profile;
  profile.case_name = "language/char_lm/tiny";
  profile.runner_class = "local";
  profile.utc = "2026-11-21T10:00:00Z";
  profile.commit = "9f2c1aa";
  profile.threads = 1;
  profile.cpus = 2;
  profile.processes = 12;
  profile.seconds = 41.2;
  profile.step = {.steps = 240,
                  .steady_after = 21,
                  .median_ns = 9'210'000,
                  .mean_ns = 9'280'000,
                  .sd_ns = 210'000,
                  .p95_ns = 9'740'000,
                  .p99_ns = 9'900'000,
                  .min_ns = 8'970'000,
                  .max_ns = 9'950'000};
  profile.throughput = {{"samples_per_s", 862.1}, {"effective_tokens_per_s", 48'100}};
  profile.flops = 379'800'000;
  profile.peaks = {.flops_per_s = {{"bfloat16", 2.05e11}, {"float32", 1.01e11}},
                   .bandwidth = {{2'097'152, 9.7e10}, {67'108'864, 2.4e10}},
                   .floor_ns = 360};
  profile.account = {{"compute-roof", "compute at roof", 3'880'000, 0.418, Bottleneck::compute},
                     {"below-roof", "below the roof", 3'020'000, 0.325, Bottleneck::operators},
                     {"bandwidth-roof", "bandwidth at roof", 1'000'000, 0.108, Bottleneck::bandwidth},
                     {"dispatch", "dispatch, 1 799 operators", 720'000, 0.078, Bottleneck::launch},
                     {"data-wait", "data wait", 50'000, 0.005, Bottleneck::input},
                     {"other", "other", 610'000, 0.066, std::nullopt}};
  profile.experiments = sample_experiment_results();
  profile.bottlenecks = {{Bottleneck::compute, Proof::proven, 0.31, "two threads make the step 31 % shorter"},
                         {Bottleneck::launch, Proof::proven, 0.25, "25 % of the step does not grow with the batch"},
                         {Bottleneck::operators, Proof::likely, 0.17, "33 % of the step is spent below the roofs"},
                         {Bottleneck::bandwidth, Proof::undecided, 0.03, "2 more processes would decide"},
                         {Bottleneck::input, Proof::refuted, 0.004, "without a loader the step is as long"}};
  profile.components = {{"backward", 5'530'000}, {"forward", 3'000'000}, {"logging", 10'000}, {"optimizer", 730'000}};
  profile.memory = MemoryLedger{.peak_bytes = 9'542'041,
                                .step = 3,
                                .boundary = "backward",
                                .bytes = {{"activations", 6'774'849},
                                          {"gradients", 477'102},
                                          {"optimizer_state", 954'204},
                                          {"other", 858'784},
                                          {"parameters", 477'102}}};
  profile.operators = sample_operator_rows();
  profile.without_formula = {"aten::foo"};
  profile.call_costs = sample_call_costs();
  profile.advice = {
      {0.059, Proof::proven, "952 of 1 642 operators are AdamW on 28 tensors: at::_fused_adamw_", "optimizer-fused"},
      {0.021, Proof::predicted, "vocabulary 97 is no multiple of 16: pad to 112", "operator-replay"},
      {0, Proof::refuted, "more loader workers", "synthetic-batch, delayed-loader"}};
  profile.checklist = sample_checklist();
  profile.observer_overhead = 0.14;
  profile.absent = {{"account of the device", "no GPU in this run"}};
  profile.files = {"profile.json", "profile.md", "roofline.svg", "stacks.folded", "trace.json.gz"};
  return profile;
}

/// A profile that ended with its first phase.
inline Profile sample_stopped_profile() {
  Profile profile;
  profile.case_name = "language/char_lm/tiny";
  profile.runner_class = "local";
  profile.utc = "2026-11-21T10:00:00Z";
  profile.processes = 4;
  profile.seconds = 9.5;
  profile.stopped = "the step is not steady: replicate 0: it still became faster after 400 steps";
  profile.files = {"profile.json", "profile.md"};
  return profile;
}

}  // namespace stepgate
