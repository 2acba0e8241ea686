#include "json/sample_documents.h"

#include <limits>

#include "core/repeated_place.h"

namespace stepgate {
namespace {

constexpr double sample_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TimedPass sample_e2e() {
  StepSample first{.wall_ns = 14512345,
                   .host_ns = {1, 2, 3, 4, 5, 6},
                   .device_ns = BoundaryTimes{10, 20, 30, 40, 50, 60},
                   .overlap_ns = 7,
                   .gap_ns = std::nullopt,
                   .samples = 32,
                   .padded_tokens = 4096,
                   .effective_tokens = 4000,
                   .shape = 0xfedcba9876543210u,
                   .allreduce_ns = 31,
                   .allreduce_wait_ns = std::nullopt,
                   .cold_shape = true};
  StepSample second = first;
  second.device_ns.reset();
  second.gap_ns = 99;
  second.shape = 1;
  second.cold_shape = false;
  return {.clock = "cuda_events+steady_clock",
          .windows = {{.wall_ns = 145123450, .first_step = 0, .steps = 10, .cold_shape = true},
                      {.wall_ns = 145000000,
                       .first_step = 10,
                       .steps = 10,
                       .cold_shape = false,
                       .begin_us = 3600000123,
                       .gpu_clock_khz = 1965000}},
          .steps = {first, second}};
}

ObservedWork observed_work() {
  OperatorSite site{.boundary = "backward",
                    .name = "aten::mm",
                    .parent = "aten::matmul",
                    .callers = {"aten::linear", "aten::matmul"},
                    .place = 0,
                    .for_forward = true,
                    .inputs = {{{8, 64}, {1, 8}, "float32", "aten::t"}, {{}, {}, "int64"}},
                    .outputs = {{{8, 64}, {64, 1}, "bfloat16"}},
                    .arguments = {"[1, 1]", "None"},
                    .calls = 9,
                    .leaf_calls = 8,
                    .flops = 7,
                    .misaligned_flops = 2,
                    .has_formula = true,
                    .bytes = 6,
                    .copied_bytes = 1,
                    .allocated_bytes = 5,
                    .self_ns = 4,
                    .total_ns = 3};
  return {.steps = 2,
          .by_shape = true,
          .build_id = "00ff",
          .not_lines = "no call stack",
          .frames_from = FramesFrom::lines,
          .places = {{.offsets = {0x1f, 0xffffffffffffffff}, .frames = {{"main", "a.cpp", 7}, {"f"}}}},
          .sites = {site, {.boundary = "forward", .name = "my::operator", .calls = 1}}};
}

}  // namespace

RunRecord sample_timed_record() {
  RunRecord record;
  record.case_name = "language/char_lm/tiny";
  record.params = {{"batch", "32"}, {"note", "tab\tquote\"backslash\\umlaut\xc3\xa4"}};
  record.group = Group::timed;
  record.seed = std::numeric_limits<std::uint64_t>::max();
  record.replicate = 4;
  record.steps = {.e2e = 20,
                  .window = 5,
                  .phase = 7,
                  .synthetic = 8,
                  .loader = 12,
                  .h2d = 3,
                  .logging = 4,
                  .counts = 9,
                  .memory = 11,
                  .numerics = 13,
                  .exact_warmup = 2,
                  .warmup_cap = 99};
  record.fingerprint = {{"torch", "2.11.0"}, {"gpu", "NVIDIA H200"}};
  record.warmup = Warmup{.first_step_ns = 812345678, .steps = 42, .steady = false, .reasons = {"level shift of 3 %"}};
  record.timed = {{"e2e", sample_e2e()}, {"phase", {.clock = "virtual", .windows = {}, .steps = {}}}};
  record.h2d = CopyTrials{
      .clock = "virtual",
      .simulated = false,
      .link_bytes_per_s = 63000000000,
      .series = {{.layout = CopyLayout::batch, .pinned = true, .bytes = 4096, .tensors = 2, .trial_ns = {9, 8}}}};
  record.logging = {{.on = false, .wall_ns = 1234, .steps = 8}, {.on = true, .wall_ns = 1300, .steps = 8}};
  record.checkpoint = CheckpointSaves{.save_ns = {9100, 8200}, .bytes = {4096, 4096}};
  record.absent = {{"kernels_per_step", "CUPTI is not available"}};
  return record;
}

RunRecord sample_gan_record() {
  RunRecord record = sample_timed_record();
  record.boundaries.insert(2, "discriminator");
  for (auto& [pass, timed] : record.timed) {
    for (StepSample& step : timed.steps) {
      step.host_ns[static_cast<std::size_t>(own_boundary(0))] = 77;
      if (step.device_ns) step.device_ns->at(static_cast<std::size_t>(own_boundary(0))) = 78;
    }
  }
  record.numerics = NumericTrace{.loss = {2, 1},
                                 .grad_norm = {},
                                 .loss_digest = "a1b2",
                                 .parameter_digest = "",
                                 .further_losses = {{"discriminator", {0.5, sample_nan}}}};
  return record;
}

RunRecord sample_inference_record() {
  RunRecord record = sample_timed_record();
  record.boundaries = StepBoundaries({"data_wait", "h2d", "infer", "post", "logging"});
  record.timed = {{"phase", {.clock = "virtual", .windows = {}, .steps = {}}}};
  record.steps.requests = 3;
  record.steps.open_requests = 2;
  record.requests = ClosedLoop{.clock = "steady_clock",
                               .wall_ns = 41000,
                               .latency_ns = {9000, 21000, 10000},
                               .boundary_ns = {{"data_wait", {10, 11, 12}}, {"infer", {8000, 20000, 9000}}},
                               .cold = {1},
                               .samples = 12,
                               .tokens = {.first_ns = {3000, 4000}, .next_ns = {500}, .tokens = 4}};
  record.open_requests = OpenLoop{.clock = "steady_clock",
                                  .rate_per_s = 62.5,
                                  .capacity_per_s = 100.25,
                                  .arrival_seed = 20260101,
                                  .generator_cpu = 1,
                                  .generator_late_ns = 850,
                                  .generator_late_total_ns = 910,
                                  .arrival_ns = {5000, 30000},
                                  .latency_ns = {9100, 9300},
                                  .tokens = {.first_ns = {2900}, .next_ns = {}, .tokens = 1}};
  record.inference = InferenceFacts{
      .answers = 40,
      .graph_answers = 39,
      .training_modules = std::vector{TrainingModule{"encoder.0.dropout", "Dropout"}, TrainingModule{"", "RReLU"}}};
  return record;
}

RunRecord sample_exact_record() {
  RunRecord record;
  record.case_name = "language/char_lm/tiny";
  record.group = Group::exact;
  record.seed = 20260101;
  record.counts = WorkCounts{.per_step = {{"operators_per_step", {412, 412}}, {"shapes_seen", {1, 0}}},
                             .by_boundary = {{"operators_per_step", {{"backward", 400}, {"forward", 424}}}},
                             .operators = {{"forward", {{"aten::addmm", 16}, {"aten::gelu", 8}}}},
                             .worker_operators = {{"aten::stack", 6}},
                             .observed = observed_work()};
  record.instructions =
      InstructionCounts{.per_step = {901234, 901240}, .by_boundary = {{"backward", 802474}, {"forward", 1000000}}};
  record.checkpoint = CheckpointSaves{.bytes = {4096}};
  record.memory = MemoryProfile{.series = {{"resident_bytes", {1048576, 1048576}},
                                           {"peak_allocated_bytes", {std::int64_t{1} << 53}},
                                           {"peak_reserved_bytes", {4194304}},
                                           {"host_peak_bytes", {8388608}},
                                           {"reserved_bytes", {4194304, 4194304}},
                                           {"minor_faults_per_step", {12, 0}},
                                           {"descriptors", {7, 8}},
                                           {"mapped_bytes", {-4096, 8192}}},
                                .peak_bytes = {2097152, 2097153},
                                .peak_by_boundary = {{"backward", 2097153}},
                                .by_boundary = {{"forward",
                                                 {.peak_allocated_bytes = 9,
                                                  .allocated_bytes = 8,
                                                  .requested_bytes = 7,
                                                  .active_bytes = std::nullopt,
                                                  .reserved_bytes = 10}}},
                                .ledger = MemoryLedger{.peak_bytes = 9,
                                                       .step = 3,
                                                       .boundary = "backward",
                                                       .bytes = {{"gradients", 4}, {"parameters", 5}},
                                                       .fragmentation_bytes = 1},
                                .timeline_base_bytes = 5,
                                .timeline = {{4, "gradients", "backward"}, {-4, "gradients", "optimizer"}},
                                .absent = {{"host_heap_bytes", "malloc is that of libjemalloc.so.2"}},
                                .rises = {{"descriptors",
                                           {.by_boundary = {{"data_wait", -1}, {"logging", 3}},
                                            .kind = "deleted file",
                                            .example = "/tmp/x (deleted)"}}}};
  record.numerics = NumericTrace{.loss = {4.174387269, 0.1, sample_nan, infinity, -infinity},
                                 .grad_norm = {1e-300, 2.0, sample_nan},
                                 .loss_digest = "a1b2",
                                 .parameter_digest = "c3d4"};
  record.kept_tensors = {
      {.index = 1, .tensor = "int64[8]", .bytes = 64, .first_step = 2, .times = 3, .overwritten = true}};
  record.losses["counts"] = {
      .steps = 2, .seen = 2, .last_seen = 1, .breaks = {{"loss", {1, infinity}}}, .values = {4.1, infinity}};
  return record;
}

RunRecord sample_profile_record() {
  RunRecord record;
  record.case_name = "language/char_lm/tiny";
  record.group = Group::profile;
  record.seed = 20260101;
  record.steps.profile = 25;
  record.warmup = Warmup{.first_step_ns = 7, .steps = 3, .steady = true, .reasons = {}};
  OperatorSite site{.boundary = "forward", .name = "aten::mm", .place = 0, .calls = 4, .leaf_calls = 4, .self_ns = 99};
  site.inputs = {{.sizes = {64, 32}, .strides = {32, 1}, .dtype = "float32", .from = "parameter"}};
  record.profile = ProfileRun{
      .blocks = {{.variant = "baseline", .round = 0, .wall_ns = 1000, .steps = 20},
                 {.variant = "delayed-loader", .round = 1, .delay_ns = 50, .wall_ns = 2000, .steps = 20}},
      .observed = ObservedWork{.steps = 2, .by_shape = true, .places = {{.offsets = {0x1234}}}, .sites = {site}},
      .observed_wall_ns = 220,
      .unobserved_wall_ns = 200,
      .peaks = {.flops_per_s = {{"float32", 1.5e11}},
                .bandwidth = {{.working_set_bytes = 8192, .bytes_per_s = 9e10}},
                .floor_ns = 360},
      .replays = {{.site = 0, .form = "padded to 16", .ns = 1234}},
      .products = {{.site = 0, .written_ns = 5000, .product_ns = 300}},
      .repeats = {{.variant = std::string(unchanged_calls), .round = 0, .wall_ns = 1000, .steps = 10},
                  {.variant = std::string(passed_calls), .round = 0, .wall_ns = 1100, .steps = 10},
                  {.variant = "char_lm.cpp:95", .round = 0, .wall_ns = 1300, .steps = 10}},
      .repeated_calls = {{"char_lm.cpp:95", 4}},
      .repeating_ns = 133.5,
      .absent = {{"extra-sync", "a CPU has nothing to wait for"}},
      .device_times = {{.boundary = "forward",
                        .name = "aten::mm",
                        .sizes = {{64, 32}, {32, 16}},
                        .calls = 10,
                        .self_ns = 4321,
                        .total_ns = 4322}},
      .trace = "profile-00-0.trace.json.gz"};
  return record;
}

Measurement sample_measurement() {
  Replicate clean{.group = Group::exact,
                  .index = 1,
                  .attempt = 0,
                  .command = {"bin/char_lm", "--stepgate_case=language/char_lm/tiny"},
                  .environment = {{"ATEN_CPU_CAPABILITY", "avx2"}},
                  .record = sample_exact_record(),
                  .failure = std::nullopt,
                  .evidence = {.values = {{EvidenceKey::wall_s, 2.5}, {EvidenceKey::steal_fraction, 0.0}},
                               .absent = {{EvidenceKey::cpu_throttle_events, "no such file"}}},
                  .taint_reasons = {}};
  Replicate tainted = clean;
  tainted.group = Group::timed;
  tainted.attempt = 2;
  tainted.record = sample_timed_record();
  tainted.taint_reasons = {"steal 4 % > 1 %"};
  Replicate crashed = clean;
  crashed.record.reset();
  crashed.failure = ReplicateFailure{
      .kind = FailureKind::timed_out, .message = "no record after 300 s", .output_tail = "line 1\nline 2\n"};
  Plan plan;
  plan.seed = 7;
  plan.timeout_s = 12.5;
  plan.steps = {{"e2e", 30}};
  return {.case_name = "language/char_lm/tiny",
          .runner_class = "h200-16c",
          .utc = "2026-11-21T10:00:00Z",
          .unix_s = 1795255200,
          .commit = "9f2c1d0-dirty",
          .program = "bin/char_lm",
          .plan = plan,
          .host = {{"cpu_count", "16"}},
          .replicates = {clean, tainted, crashed}};
}

RunReport sample_run_report() {
  MetricVerdict step{.metric = "step_time_ns",
                     .status = Status::regressed,
                     .reason = ReasonCode::above_limit,
                     .detail = "14.5 ms -> 16.1 ms",
                     .gating = true,
                     .scope = Scope::runner,
                     .baseline = 14512000,
                     .current = 16123456.789,
                     .change = 0.111,
                     .interval = Interval{.lower = 0.09, .upper = 0.13},
                     .limit = "+1.0 %",
                     .detectable_change = 0.027,
                     .more_replicates = 3};
  MetricVerdict bare;
  bare.metric = "operators_per_step";
  bare.status = Status::not_judged;
  bare.reason = ReasonCode::equal;
  bare.gating = false;
  bare.scope = Scope::portable;
  Outcome red;
  red.verdict = {.case_name = "language/char_lm/tiny",
                 .status = Status::regressed,
                 .reason = ReasonCode::above_limit,
                 .detail = "step time +11 %",
                 .metrics = {step, bare}};
  red.verdict.limits = {{.limit = {.kind = AbsoluteLimitKind::floor, .metric = "samples_per_s", .value = 4000},
                         .outcome = LimitOutcome::undecided,
                         .current = 3990,
                         .range = ValueBounds{3900, 4080},
                         .processes = 2,
                         .why = "it takes 3 clean processes to tell"},
                        {.limit = {.kind = AbsoluteLimitKind::target, .metric = "step_time_ns", .value = 1e7},
                         .outcome = LimitOutcome::met,
                         .newly_met = true}};
  red.kind = whole_gate;
  red.findings = {{.code = FindingCode::boundary_slower,
                   .severity = Severity::cause,
                   .message = "backward is 1.6 ms slower",
                   .advice = "stepgate profile language/char_lm/tiny",
                   .metric = "step_time_ns",
                   .boundary = "backward",
                   .also = {"first_step_ns", "operators_per_step"}}};
  red.failures = {{.kind = FailureKind::crashed, .message = "killed by signal 11", .output_tail = "boom"}};
  red.reproduce_command = "stepgate gate language/char_lm/tiny";
  red.accept_command = "stepgate baseline accept language/char_lm/tiny --reason \"...\"";
  red.pending_path = "pending/language/char_lm/tiny.json";
  red.baseline_path = "baselines/h200-16c/language/char_lm/tiny.json";
  red.baseline_summary = "9f2c1, 12 days old, 5 sessions";
  red.fingerprint = {{"gpu", "NVIDIA H200"}};
  red.seconds = 61.25;
  Outcome missing;
  missing.verdict.case_name = "vision/resnet/tiny";
  missing.kind = {.half = TierChoice::timed};
  return {.utc = "2026-11-21T10:00:00Z",
          .commit = "9f2c1d0",
          .runner_class = "h200-16c",
          .stepgate_version = "0.1.0",
          .outcomes = {red, missing},
          .expected_cases = {"language/char_lm/tiny", "vision/resnet/tiny"},
          .missing_cases = {}};
}

}  // namespace stepgate
