// The metrics of the memory pass, and of the passes that give one value a process.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/catalogue/row_kinds.h"

namespace stepgate::catalogue {

/// Six times the largest growth of unchanged code: 2 618 bytes per step in 40 processes of the four tiny cases. gloo
/// caused that growth: it keeps about 2 KiB per step in each rank. Without gloo the largest growth was 491 bytes.
inline constexpr std::int64_t host_heap_noise_bytes = 16'384;  // 16 KiB

/// Twice what a process without gloo adds at irregular steps whatever its code, 56 to 448 bytes per step in ten
/// processes of five tiny cases. It is the same in each process of a build, so the spread between these does not show
/// it.
inline constexpr std::int64_t host_heap_resolution_bytes = 1'024;

/// About twice the largest rise in one step of unchanged code, 33 280 bytes: in char_lm_unbucketed/tiny, three times in
/// 48 steps. Its batches differ in length. In five other tiny cases the largest rise was 4 768 bytes.
inline constexpr std::int64_t host_heap_chunk_bytes = 65'536;  // 64 KiB

/// Steps that are followed where a chunk may have come: three times 16, so that a chunk in each 16th step comes three
/// times.
inline constexpr std::int64_t host_heap_followed_steps = 48;

/// Three times the largest difference between processes of unchanged code: 0.33 %, six processes of a convolution with
/// 2 million instructions a step, where it depends on the addresses of buffers. An MLP with 1 million differed by 0.005
/// %, char_lm/tiny (68 million) and digits_cnn/tiny (54 million) by 0.02 %. It equals the margin up to which a step
/// time counts as unchanged.
inline constexpr double host_instructions_margin = 0.01;

/// From the memory pass. For several ranks the largest value counts.
constexpr Metric memory(std::string_view name, bool gates, std::string_view label, std::string_view advice = "") {
  return {.name = name,
          .unit = bytes,
          .direction = lower,
          .tier = Tier::bytes,
          .gates = gates,
          .label = label,
          .advice = advice,
          .over_ranks = OverRanks::highest,
          .series = name};
}

constexpr Metric once(Metric metric, Scope scope = Scope::portable) {
  metric.over_steps = OverSteps::once;
  metric.scope = scope;
  return metric;
}

constexpr Metric last(Metric metric) {
  metric.over_steps = OverSteps::last;
  return metric;
}

/// The growth of the level that is recorded as `series`.
constexpr Metric growth(std::string_view series, Metric metric, std::int64_t noise_floor = 0,
                        std::int64_t resolution = 0) {
  metric.series = series;
  metric.over_steps = OverSteps::growth;
  metric.noise_floor = noise_floor;
  metric.resolution = resolution;
  return metric;
}

/// Only growth in chunks that come once in several steps. A baseline from before there was such a metric says nothing
/// of it, so unchanged code is not judged until that baseline is accepted again.
constexpr Metric in_chunks(std::int64_t least_chunk, Metric metric) {
  metric.least_chunk = least_chunk;
  metric.reference = Reference::stored_zero;
  return metric;
}

/// A metric of the instructions pass: one value a process, compared between two builds on one machine.
constexpr Metric instructions(double margin, Metric metric) {
  metric.tier = Tier::bytes;
  metric.over_ranks = OverRanks::highest;
  metric.margin = margin;
  return once(metric, Scope::runner);
}

/// A metric of the checkpoint_bytes pass: one value a process. Ranks may share the files of one checkpoint.
constexpr Metric saved(Metric metric) {
  metric.tier = Tier::bytes;
  return once(metric);
}

/// A metric of the memory pass, one value per step.
constexpr Metric of_memory_pass(Metric metric) {
  metric.series = metric.name;
  return metric;
}

inline constexpr std::string_view larger_checkpoint =
    "look at what save_checkpoint() writes: a tensor that is saved twice, a wider dtype, state that nothing reads "
    "again.";

inline constexpr std::string_view host_code =
    "plain C++ code runs more: look for a loop over elements, text that is built in each step, or a container that is "
    "copied or searched; perf record names the function.";

inline constexpr std::string_view hoarding =
    "plain C++ memory, no tensors: look for a container that each step adds to and nothing clears, such as a list of "
    "records, a cache or captured strings; heaptrack names the call.";

inline constexpr std::array memory_metrics = {
    once(memory("peak_allocated_bytes", true, "peak allocated")),
    once(memory("peak_reserved_bytes", true, "peak reserved")),
    growth("resident_bytes", from_zero(memory("leak_bytes_per_step", true, "leak per step"))),
    growth("host_heap_bytes", from_zero(memory("host_heap_growth_bytes_per_step", true, "host heap growth", hoarding)),
           host_heap_noise_bytes, host_heap_resolution_bytes),
    in_chunks(host_heap_chunk_bytes,
              growth("followed_host_heap_bytes",
                     memory("host_heap_chunks_bytes_per_step", true, "host heap growth in chunks", hoarding),
                     host_heap_noise_bytes, host_heap_resolution_bytes)),
    last(memory("resident_bytes", false, "resident at step end")),
    growth("reserved_bytes", memory("reserved_growth_bytes_per_step", false, "growth of reserved memory")),
    once(memory("host_peak_bytes", false, "host peak (RSS)"), Scope::runner),
    instructions(host_instructions_margin,
                 counted("host_instructions_per_step", count, "host instructions", host_code)),
    saved(counted("checkpoint_bytes", bytes, "checkpoint", larger_checkpoint)),
    from_zero(of_memory_pass(counted("allocator_retries_per_step", count, "allocator retries"))),
    from_zero(of_memory_pass(counted("allocator_stream_syncs_per_step", count, "allocator waits for all streams"))),
    from_zero(of_memory_pass(counted("ooms_per_step", count, "allocations out of memory"))),
    informative(of_memory_pass(counted("pinned_allocations_per_step", count, "pinned allocations by the driver"))),
    last(memory("peak_pinned_bytes", false, "peak pinned host memory")),
    only_shown(last(memory("outside_allocator_bytes", false, "device memory outside the allocator"))),
    only_shown({.name = "pinned_allocation_ns",
                .unit = ns,
                .direction = lower,
                .tier = Tier::exact,
                .gates = false,
                .label = "time to pin host memory",
                .over_ranks = OverRanks::highest,
                .series = "pinned_allocation_ns"}),
    only_shown({.name = "minor_faults_per_step",
                .unit = count,
                .direction = lower,
                .tier = Tier::exact,
                .gates = false,
                .label = "minor page faults",
                .over_ranks = OverRanks::highest,
                .series = "minor_faults_per_step"}),
};

}  // namespace stepgate::catalogue
