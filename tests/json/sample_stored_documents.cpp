#include "json/sample_documents.h"

namespace stepgate {
namespace {

Session session(const std::string& utc, std::int64_t unix_s) {
  return {.utc = utc,
          .unix_s = unix_s,
          .commit = "9f2c1d0",
          .timed = {{"step_time_ns", {14512345.6, 14498001.2, 9876.54321}},
                    {"stall_ratio", {0.0312345678, 0.0, 0.25}},
                    {"effective_tokens_per_s", {281234.567}}}};
}

Provenance provenance() {
  return {.commit = "9f2c1d0",
          .utc = "2026-11-21T10:00:00Z",
          .reason = "fused optimizer: \"adamw\", 12 % fewer operators",
          .compiler = "gcc 12.2.0",
          .stepgate_version = "0.1.0",
          .sessions = 2,
          .replicates = 3,
          .previous = "step_time_ns 15.1 ms",
          .local = true};
}

}  // namespace

Baseline sample_runner_baseline() {
  Baseline baseline;
  baseline.case_name = "language/char_lm/tiny";
  baseline.scope = Scope::runner;
  baseline.runner_class = "h200-16c";
  baseline.key = {{"torch", "2.11.0"}, {"gpu", "NVIDIA H200"}, {"threads", "1"}};
  baseline.exact = {{"kernels_per_step", {210, 210, 210}}};
  baseline.bytes = {{"peak_allocated_bytes", {73400320, 73401344}}, {"leak_bytes_per_step", {-8, 0}}};
  baseline.sessions = {session("2026-11-20T10:00:00Z", 1795168800), session("2026-11-21T10:00:00Z", 1795255200)};
  baseline.anchor = Anchor{.utc = "2026-06-01T00:00:00Z",
                           .commit = "1111111",
                           .values = {{"step_time_ns", 13999999.9}, {"peak_allocated_bytes", 73400321}}};
  baseline.provenance = provenance();
  return baseline;
}

Baseline sample_portable_baseline() {
  Baseline baseline;
  baseline.case_name = "language/char_lm/tiny";
  baseline.scope = Scope::portable;
  baseline.runner_class = "portable";
  baseline.key = {{"isa", "avx2"}, {"threads", "1"}, {"torch", "2.11.0"}};
  baseline.exact = {{"operators_per_step", {412, 412, 412, 413}}, {"allocations_per_step", {96, 96, 96, 96}}};
  baseline.bytes = {{"peak_allocated_bytes", {2097152}}};
  baseline.numerics = NumericTrace{.loss = {4.174387269, 4.1, 2.0},
                                   .grad_norm = {0.12345678901234567, 1e-05},
                                   .loss_digest = "a1b2",
                                   .parameter_digest = "c3d4"};
  baseline.counts_by_boundary = {{"operators_per_step", {{"backward", 800}, {"forward", 848}}}};
  baseline.operators = {{"forward", {{"aten::addmm", 16}, {"aten::gelu", 8}}}, {"optimizer", {}}};
  baseline.peak_by_boundary = {{"backward", 2097152}, {"forward", 1572864}};
  baseline.ledger = MemoryLedger{.peak_bytes = 2097152,
                                 .step = 1,
                                 .boundary = "backward",
                                 .bytes = {{"activations", 97152}, {"parameters", 2000000}},
                                 .fragmentation_bytes = std::nullopt};
  baseline.provenance = provenance();
  baseline.provenance.local = false;
  return baseline;
}

Policy sample_policy() {
  Policy policy;
  policy.margins = {.ignore = 0.02, .matter = 0.06};
  policy.metric_margins = {{"first_step_ns", {.ignore = 0.05, .matter = 0.2}}};
  policy.must_decide = {"first_step_ns"};
  policy.alpha = 0.01;
  policy.loosening = LooseningRule::needs_consent;
  policy.beta = 0.1;
  policy.prior_spread = 0.03;
  policy.prior_weight = 3.5;
  policy.session_gap_s = 900;
  policy.confirmed_sessions = 6;
  policy.coarse_limit = 0.3;
  policy.min_clean_replicates = 4;
  policy.budgets = {{"peak_allocated_bytes", 1500000}, {"first_step_ns", 2e9}};
  policy.budget_cases = {{"first_step_ns", {"language/*", "vision/mlp/tiny"}}};
  policy.floors = {{.cases = "language/*", .metric = "samples_per_s", .value = 4000, .runner_class = "h200-16c"},
                   {.cases = "vision/mlp/tiny", .metric = "mfu_ratio", .value = 0.25}};
  policy.case_budgets = {{.cases = "language/*", .metric = "step_time_mean_ns", .value = 2e7}};
  policy.targets = {{.cases = "*", .metric = "step_time_ns", .value = 1e7, .runner_class = "h200-16c"}};
  policy.gating_rates = {{"samples_per_s", {"language/*"}}, {"mfu_ratio", {"*"}}};
  policy.exact_tolerance = {{"allocations_per_step", 2}};
  policy.bytes_tolerance = 512;
  policy.bytes_relative_tolerance = 0.001;
  policy.loss_rtol = 2e-4;
  policy.loss_atol = 2e-6;
  policy.grad_norm_rtol = 2e-3;
  policy.low_precision_rtol = 3e-3;
  policy.final_loss_margins = {.ignore = 0.004, .matter = 0.02};
  policy.numeric_steps = 11;
  policy.taint_limits = {{EvidenceKey::steal_fraction, 0.02}};
  policy.varying = {{.cases = "language/*", .metrics = {"loss", "peak_*"}, .reason = "two threads add gradients"}};
  policy.waivers = {{.case_name = "language/char_lm/tiny",
                     .metric = "step_time_ns",
                     .owner = "jane",
                     .until = "2028-02-29",
                     .reason = "new tokenizer lands next week"}};
  return policy;
}

std::string sample_manifest_text() {
  return R"({
  "schema": {"name": "stepgate.manifest", "major": 1, "minor": 0},
  "build_type": "Release",
  "policy_root": "../perftests",
  "baseline_root": "/srv/baselines",
  "cases": [
    {"name": "language/char_lm/tiny", "suite": "language", "program": "bin/char_lm", "device": "cpu"},
    {"name": "language/char_lm/big", "suite": "language", "program": "/opt/char_lm", "device": "cuda", "timeout_s": 900}
  ]
}
)";
}

}  // namespace stepgate
