#include "cases.h"

#include "language/char_generator.h"
#include "language/char_lm.h"
#include "language/char_lm_accumulated.h"
#include "language/char_lm_graphed.h"
#include "language/char_lm_memory.h"
#include "language/char_lm_parallel.h"
#include "language/small_char_lm.h"
#include "tabular/field_transformer.h"
#include "tabular/field_transformer_memory.h"
#include "vision/conv_net_memory.h"
#include "vision/digits_classifier.h"
#include "vision/digits_cnn.h"
#include "vision/photo_decode.h"

namespace stepgate {
namespace {

using Params = std::map<std::string, std::string>;

// Counts for steps of up to 0.2 s, so that all processes of a case end within 3 minutes (docs/gpu_cases.md). Windows
// hold one rhythm of the token batches, which is five steps.
constexpr StepCounts long_steps = {.e2e = 20,
                                   .window = 5,
                                   .phase = 5,
                                   .synthetic = 10,
                                   .loader = 10,
                                   .h2d = 5,
                                   .logging = 20,
                                   .counts = 5,
                                   .memory = 10,
                                   .numerics = 6,
                                   .warmup_cap = 40};

constexpr const char* autocast_dtype = "bfloat16";
constexpr std::int64_t char_lm_ranks = 2;

DeviceBytesEstimate char_lm_bytes(bool autocast) {
  return [autocast](Params params) {
    take_optimizer(params);  // both kinds of update keep the same state
    take_scaler(params);     // three numbers
    const CharLmSize size = with_params(full_char_lm(), params);
    return device_bytes(memory_of(size, size.batch.batch_size, autocast));
  };
}

/// The memory of the graphs, which is that of the longest batches, and beside it a step of the shortest ones as it is,
/// in warm-up: half as long. The second longest ones warm up before anything is recorded (bucket_rhythm,
/// char_lm_graph_warm_up), and all graphs share one pool.
std::int64_t char_lm_graphed_bytes(const Params& params) {
  const CharLmSize size = with_params(full_char_lm(), params);
  TrainingMemory memory = memory_of(size, size.batch.batch_size, false);
  memory.activation_bytes += memory.activation_bytes / 2;
  memory.temporary_bytes += memory.temporary_bytes / 2;
  return device_bytes(memory);
}

/// Of one rank: the graphs of all its micro-steps are alive together, and buckets hold its gradients once more.
std::int64_t char_lm_parallel_bytes(const Params& params) {
  constexpr std::int64_t bucket_bytes_per_parameter = 4;
  const CharLmParallelSize size = with_params(full_char_lm_parallel(), params);
  TrainingMemory memory = memory_of(size.model, size.model.batch.batch_size / char_lm_ranks, false);
  memory.state_bytes_per_parameter += bucket_bytes_per_parameter;
  return device_bytes(memory);
}

DeviceBytesEstimate digits_cnn_bytes(bool autocast) {
  return [autocast](const Params& params) {
    const DigitsCnnSize size = with_params(full_digits_cnn(), params);
    return device_bytes(memory_of(size.net, {.rows = size.loader.batch_size, .side = digit_side}, autocast));
  };
}

DeviceBytesEstimate photo_decode_bytes(bool autocast) {
  return [autocast](const Params& params) {
    const PhotoDecodeSize size = with_params(full_photo_decode(), params);
    return device_bytes(memory_of(size.net, {.rows = size.loader.batch_size, .side = size.photo.side}, autocast));
  };
}

std::int64_t field_transformer_bytes(const Params& params) {
  const FieldTransformerSize size = with_params(full_field_transformer(), params);
  return device_bytes(memory_of(size, size.loader.batch_size));
}

/// The same case with bfloat16 in forward.
Case autocast_of(Case twin, DeviceBytesEstimate device_bytes) {
  twin.name += "_bf16";
  twin.dtype = autocast_dtype;
  twin.device_bytes = std::move(device_bytes);
  return twin;
}

// Steps of the exact half of a case in bfloat16 on a CPU. Under the pinned AVX2 oneDNN has no kernels for it, so a step
// takes ten times as long as in float32.
constexpr StepCounts few_exact_steps = {.counts = 3, .memory = 6, .numerics = 6, .exact_warmup = 2};

/// "language/char_lm/tiny" as "language/char_lm_bf16/tiny": the same work with bfloat16 in forward. Only its exact half
/// says something: its times are those of kernels that no training on a GPU uses.
Case in_low_precision(Case twin) {
  twin.name.insert(twin.name.rfind('/'), "_bf16");
  twin.dtype = autocast_dtype;
  twin.steps = few_exact_steps;
  return twin;
}

std::vector<Case> char_lm_cases() {
  const Case full{.name = "language/char_lm/full",
                  .make = make_full_char_lm,
                  .device = "cuda",
                  .params = params_of(full_char_lm()),
                  .steps = long_steps,
                  .device_bytes = char_lm_bytes(false)};
  const Case tiny{.name = "language/char_lm/tiny", .make = make_tiny_char_lm, .params = params_of(tiny_char_lm())};
  Case scaled = in_low_precision(tiny);
  scaled.params["scaler"] = "on";
  return {
      tiny,
      scaled,
      {.name = "language/char_lm_checkpoint/tiny",
       .make = make_tiny_char_lm_checkpoint,
       .params = params_of(tiny_char_lm())},
      {.name = "language/char_lm_bucketed/tiny", .make = make_bucketed_char_lm, .params = params_of(tiny_char_lm())},
      {.name = "language/char_lm_unbucketed/tiny",
       .make = make_unbucketed_char_lm,
       .params = params_of(tiny_char_lm())},
      {.name = "language/char_lm/gpu_small",
       .make = make_gpu_small_char_lm,
       .device = "cuda",
       .params = params_of(gpu_small_char_lm()),
       .steps = long_steps,
       .device_bytes = char_lm_bytes(false)},
      full,
      autocast_of(full, char_lm_bytes(true))};
}

std::vector<Case> char_lm_parallel_cases() {
  return {{.name = "language/char_lm_parallel/tiny",
           .make = make_tiny_char_lm_parallel,
           .params = params_of(tiny_char_lm_parallel()),
           .ranks = char_lm_ranks},
          {.name = "language/char_lm_parallel/gpu_small",
           .make = make_gpu_small_char_lm_parallel,
           .device = "cuda",
           .params = params_of(gpu_small_char_lm_parallel()),
           .steps = long_steps,
           .ranks = char_lm_ranks,
           .device_bytes = char_lm_parallel_bytes},
          {.name = "language/char_lm_parallel/full",
           .make = make_full_char_lm_parallel,
           .device = "cuda",
           .params = params_of(full_char_lm_parallel()),
           .steps = long_steps,
           .ranks = char_lm_ranks,
           .device_bytes = char_lm_parallel_bytes}};
}

/// Steps compiled ahead of time, each with its eager twin: the whole step for one batch shape; forward and backward for
/// batches of any length.
std::vector<Case> compiled_char_lm_cases() {
  return {{.name = "language/char_lm_compiled/tiny",
           .make = make_compiled_char_lm,
           .missing = [] { return missing_package(char_lm_package); }},
          {.name = "language/char_lm_compiled/eager", .make = make_eager_char_lm},
          {.name = "language/char_lm_compiled/joint",
           .make = make_joint_char_lm,
           .missing = [] { return missing_package(char_lm_gradients_package); }},
          {.name = "language/char_lm_compiled/joint_eager", .make = make_eager_char_lm_of_two_lengths}};
}

/// The step of char_lm/full as a CUDA graph, and its eager twin, which has the same optimizer.
std::vector<Case> graphed_char_lm_cases() {
  StepCounts recorded_steps = long_steps;
  recorded_steps.exact_warmup = char_lm_steps_until_recorded;
  Params fused = params_of(full_char_lm());
  fused["optimizer"] = "fused";
  return {{.name = "language/char_lm_graphed/full",
           .make = make_full_char_lm_graphed,
           .device = "cuda",
           .params = params_of(full_char_lm()),
           .steps = recorded_steps,
           .device_bytes = char_lm_graphed_bytes},
          {.name = "language/char_lm_graphed/eager",
           .make = make_full_char_lm,
           .device = "cuda",
           .params = fused,
           .steps = recorded_steps,
           .device_bytes = char_lm_bytes(false)}};
}

// Windows hold whole rhythms of the token batches, five steps, and of the updates, four. Exact counting begins after
// the first update, which makes the optimizer's state.
constexpr StepCounts accumulated_steps = {
    .window = 20, .phase = 40, .synthetic = 40, .checkpoint = 5, .checkpoint_bytes = 1, .exact_warmup = 4};

std::vector<Case> char_lm_accumulated_cases() {
  return {{.name = "language/char_lm_accumulated/tiny",
           .make = make_tiny_char_lm_accumulated,
           .params = params_of(tiny_char_lm_accumulated()),
           .steps = accumulated_steps}};
}

std::vector<Case> field_transformer_cases() {
  return {{.name = "tabular/field_transformer/tiny",
           .make = make_tiny_field_transformer,
           .params = params_of(tiny_field_transformer())},
          {.name = "tabular/field_transformer/full",
           .make = make_full_field_transformer,
           .device = "cuda",
           .params = params_of(full_field_transformer()),
           .steps = long_steps,
           .device_bytes = field_transformer_bytes}};
}

std::vector<Case> digits_cnn_cases() {
  const Case full{.name = "vision/digits_cnn/full",
                  .make = make_full_digits_cnn,
                  .device = "cuda",
                  .params = params_of(full_digits_cnn()),
                  .device_bytes = digits_cnn_bytes(false)};
  const Case tiny{
      .name = "vision/digits_cnn/tiny", .make = make_tiny_digits_cnn, .params = params_of(tiny_digits_cnn())};
  return {tiny,
          in_low_precision(tiny),
          {.name = "vision/digits_cnn/gpu_small",
           .make = make_gpu_small_digits_cnn,
           .device = "cuda",
           .params = params_of(gpu_small_digits_cnn()),
           .device_bytes = digits_cnn_bytes(false)},
          full,
          autocast_of(full, digits_cnn_bytes(true))};
}

std::vector<Case> photo_decode_cases() {
  const Case full{.name = "vision/photo_decode/full",
                  .make = make_full_photo_decode,
                  .device = "cuda",
                  .params = params_of(full_photo_decode()),
                  .steps = long_steps,
                  .device_bytes = photo_decode_bytes(false)};
  return {
      {.name = "vision/photo_decode/tiny", .make = make_tiny_photo_decode, .params = params_of(tiny_photo_decode())},
      {.name = "vision/photo_decode/gpu_small",
       .make = make_gpu_small_photo_decode,
       .device = "cuda",
       .params = params_of(gpu_small_photo_decode()),
       .steps = long_steps,
       .device_bytes = photo_decode_bytes(false)},
      full,
      autocast_of(full, photo_decode_bytes(true))};
}

// A P99 of a process needs a thousand requests.
constexpr StepCounts timed_requests = {.requests = 1000};

/// The models of char_lm and digits_cnn where they answer requests.
std::vector<Case> answering_cases() {
  return {{.name = "language/char_lm_generate/tiny",
           .make = make_tiny_char_generator,
           .params = params_of(tiny_char_generator()),
           .steps = timed_requests},
          {.name = "vision/digits_cnn_classify/tiny",
           .make = make_tiny_digits_classifier,
           .params = params_of(tiny_digits_classifier()),
           .steps = timed_requests}};
}

}  // namespace

std::vector<Case> guarded_cases() {
  std::vector<Case> all;
  for (auto of_workload :
       {char_lm_cases, char_lm_parallel_cases, char_lm_accumulated_cases, compiled_char_lm_cases, graphed_char_lm_cases,
        digits_cnn_cases, photo_decode_cases, field_transformer_cases, answering_cases}) {
    for (Case& each : of_workload()) all.push_back(std::move(each));
  }
  return all;
}

}  // namespace stepgate
