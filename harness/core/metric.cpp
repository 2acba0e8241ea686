#include "core/metric.h"

#include <algorithm>
#include <array>

#include "core/boundary.h"

namespace stepgate {
namespace {

constexpr auto lower = Direction::lower_is_better;
constexpr auto higher = Direction::higher_is_better;
constexpr auto neither = Direction::neither;

/// Six times the largest growth of unchanged code: 2 618 bytes per step in 40 processes of the four tiny cases. gloo
/// caused that growth: it keeps about 2 KiB per step in each rank. Without gloo the largest growth was 491 bytes.
constexpr std::int64_t host_heap_noise_bytes = 16'384;  // 16 KiB

/// Three times the largest difference between processes of unchanged code: 0.33 %, six processes of a convolution with
/// 2 million instructions a step, where it depends on the addresses of buffers. An MLP with 1 million differed by 0.005
/// %, char_lm/tiny (68 million) and digits_cnn/tiny (54 million) by 0.02 %. It equals the margin up to which a step
/// time counts as unchanged.
constexpr double host_instructions_margin = 0.01;

// The functions below fill in what the rows of a kind share. docs/design/metrics.md says which metrics gate.

constexpr Metric counted(std::string_view name, std::string_view label, std::string_view advice = "") {
  const bool bytes = name.find("bytes") != std::string_view::npos;
  return {.name = name,
          .unit = bytes ? "bytes" : "count",
          .direction = lower,
          .tier = Tier::exact,
          .gates = true,
          .label = label,
          .advice = advice};
}

/// Describes the input: neither more nor less of it is better.
constexpr Metric described(std::string_view name, std::string_view label) {
  Metric metric = counted(name, label);
  metric.direction = neither;
  metric.gates = false;
  return metric;
}

/// From the memory pass. For several ranks the largest value counts.
constexpr Metric memory(std::string_view name, bool gates, std::string_view label, std::string_view advice = "") {
  return {.name = name,
          .unit = "bytes",
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

/// Of CUPTI: what LibTorch and the libraries below it do differs from GPU to GPU.
constexpr Metric of_device(Metric metric) {
  metric.scope = Scope::runner;
  return metric;
}

constexpr Metric last(Metric metric) {
  metric.over_steps = OverSteps::last;
  return metric;
}

/// The growth of the level that is recorded as `series`.
constexpr Metric growth(std::string_view series, Metric metric, std::int64_t noise_floor = 0) {
  metric.series = series;
  metric.over_steps = OverSteps::growth;
  metric.noise_floor = noise_floor;
  return metric;
}

/// A baseline without a value for it counts as 0.
constexpr Metric from_zero(Metric metric) {
  metric.reference = Reference::zero;
  return metric;
}

/// Of the instructions pass: one value a process, compared between two builds on one machine.
constexpr Metric instructions(double margin, Metric metric) {
  metric.tier = Tier::bytes;
  metric.over_ranks = OverRanks::highest;
  metric.margin = margin;
  return once(metric, Scope::runner);
}

/// Of the checkpoint_bytes pass: one value a process. Ranks may share the files of one checkpoint.
constexpr Metric saved(Metric metric) {
  metric.tier = Tier::bytes;
  return once(metric);
}

/// Differs from machine to machine, so it is shown and never stored.
constexpr Metric only_shown(Metric metric) {
  metric.reference = Reference::nothing;
  metric.gates = false;
  metric.scope = Scope::runner;
  return metric;
}

/// Of the memory pass, one value per step.
constexpr Metric of_memory_pass(Metric metric) {
  metric.series = metric.name;
  return metric;
}

/// A fact that explains other metrics: compared, but it decides nothing.
constexpr Metric informative(Metric metric) {
  metric.gates = false;
  return metric;
}

constexpr Metric highest_rank(Metric metric) {
  metric.over_ranks = OverRanks::highest;
  return metric;
}

/// Scatters far more from process to process than the step time does, whatever the code: the first step by 3 to 10 %, a
/// loader that is drained in milliseconds by as much (docs/decisions/0012-what-may-keep-pairs-running.md).
constexpr Metric following(Metric metric, double ignore_margin, double matter_margin) {
  metric.follows = true;
  metric.ignore_margin = ignore_margin;
  metric.matter_margin = matter_margin;
  return metric;
}

constexpr std::string_view temporaries =
    "a temporary more, or a larger one: look for out-of-place operations, copies, and shapes that grew.";
constexpr std::string_view kept_activations =
    "forward keeps more for backward: look for attention that is written out, a wider dtype, a fused operator that "
    "fell "
    "apart, and a checkpoint that is gone.";
constexpr std::string_view more_launches =
    "the step runs as more launches than before: look for a fused operator that fell apart, or a loop over tensors.";
constexpr std::string_view wider_batch =
    "look at the batch: a wider dtype, more padding, or a tensor that could be made on the device.";
constexpr std::string_view larger_checkpoint =
    "look at what save_checkpoint() writes: a tensor that is saved twice, a wider dtype, state that nothing reads "
    "again.";
constexpr std::string_view loader_work = "decoding, augmentation or collation do more work for each batch.";

constexpr std::string_view host_code =
    "plain C++ code runs more: look for a loop over elements, text that is built in each step, or a container that is "
    "copied or searched; perf record names the function.";

constexpr std::string_view hoarding =
    "plain C++ memory, no tensors: look for a container that each step adds to and nothing clears, such as a list of "
    "records, a cache or captured strings; heaptrack names the call.";

/// A row for each boundary of the table, and one for those that a loop names itself.
constexpr std::array<Metric, boundary_count + 1> boundary_times() {
  std::array<Metric, boundary_count + 1> times{};
  for (std::size_t i = 0; i < boundary_count; ++i) {
    times[i] = {boundary_table[i].metric, "ns", lower, Tier::timed, false, boundary_table[i].label};
  }
  times.back() = {own_boundary_family, "ns", lower, Tier::timed, false, "*"};
  return times;
}

template <std::size_t... sizes>
constexpr auto joined(const std::array<Metric, sizes>&... parts) {
  std::array<Metric, (sizes + ...)> all{};
  auto end = all.begin();
  ((end = std::copy(parts.begin(), parts.end(), end)), ...);
  return all;
}

constexpr std::array before_boundary_times = {
    counted("operators_per_step", "operators"),
    counted("autograd_nodes_per_step", "autograd nodes",
            "more of the step is recorded for a backward: does an evaluation run without NoGradGuard?"),
    counted("saved_bytes_per_step", "bytes saved for backward", kept_activations),
    counted("flops_per_step", "FLOPs", "the same step computes more: look for shapes that grew and work done twice."),
    counted("bytes_touched_per_step", "bytes touched",
            "operators read and write more memory: look for copies, wider dtypes, and shapes that grew."),
    counted(
        "casts_per_step", "casts",
        "tensors change their dtype more often: cast once, where the value is made; under autocast give linear layers "
        "the parameter itself, so that its cast is kept."),
    counted("cast_bytes_per_step", "bytes cast",
            "casts read and write more memory: look for tensors that change their dtype and for operands that grew."),
    counted("copy_bytes_per_step", "bytes copied",
            "tensors are copied within the device: look for contiguous(), clone(), repeat(), and for layouts that a "
            "matrix product or convolution copies."),
    informative(counted("misaligned_matmul_flops_per_step", "FLOPs in misaligned products",
                        "sizes of matrix products are no multiples of 16 bytes: pad them, for example the vocabulary "
                        "to a multiple of 8.")),
    of_device(counted("kernels_per_step", "kernels", more_launches)),
    of_device(counted("graph_launches_per_step", "graph launches", more_launches)),
    of_device(counted("memcpys_per_step", "device copies",
                      "look for tensors that change the device, and for copies inside it (.contiguous(), .clone()).")),
    of_device(counted("memsets_per_step", "device memsets", "look for tensors that are zeroed anew in each step.")),
    of_device(counted("device_allocations_per_step", "device allocations",
                      "memory is taken from the driver during steps, which waits for the device: look for sizes that "
                      "grow, a cache that is emptied, and pinned memory that is made in each step.")),
    of_device(counted("device_syncs_per_step", "device syncs",
                      "the host waits for the device: look for synchronize(), copies without non_blocking, frees, and "
                      "reads of values.")),
    counted("host_syncs_per_step", "host syncs",
            "look for .item(), .cpu(), printing, or control flow on tensor values."),
    counted("allocations_per_step", "allocations", temporaries),
    counted("allocated_bytes_per_step", "bytes allocated", temporaries),
    counted("h2d_copies_per_step", "H2D copies", wider_batch),
    counted("h2d_bytes_per_step", "H2D bytes", wider_batch),
    counted("pageable_copies_per_step", "H2D copies from pageable memory",
            "the batch lost its pinned memory (pin_memory, pinned_memory(true)): such copies wait and cannot overlap."),
    counted("d2h_copies_per_step", "D2H copies",
            "a tensor is read back: keep sums on the device and read them seldom."),
    counted("held_graphs_per_step", "graphs of past steps still held",
            "something keeps losses with their graphs: log loss.item(), or loss.detach() where it must stay on the "
            "device."),
    from_zero(highest_rank(
        counted("amp_skips_per_step", "skipped updates",
                "gradients overflow more often: look for a scale that starts too high, an update of the scale that "
                "is missing, and values that left the range of float16."))),
    from_zero(
        of_device(counted("graphs_after_warmup", "CUDA graphs made after warm-up",
                          "a shape of the inputs came that had no graph yet: pad the batch to few shapes, and let "
                          "all of them come early."))),
    of_device(counted("graph_kernel_nodes", "kernels in the CUDA graph", more_launches)),
    of_device(counted("graph_memcpy_nodes", "copies in the CUDA graph",
                      "look for copies between layouts and dtypes, and for tensors that come from the host.")),
    of_device(counted("graph_memset_nodes", "memsets in the CUDA graph",
                      "tensors are filled with zeros more often: look for zeros_like() and gradients that are reset in "
                      "place.")),
    of_device(counted("graph_pool_bytes", "memory of the CUDA graphs",
                      "each graph keeps its own memory: look for more shapes, and for tensors that the step keeps.")),
    only_shown({.name = "graph_recording_ns",
                .unit = "ns",
                .direction = lower,
                .tier = Tier::exact,
                .gates = false,
                .label = "time to record the CUDA graphs",
                .over_ranks = OverRanks::highest}),
    counted("loader_operators_per_batch", "loader operators", loader_work),
    counted("loader_allocations_per_batch", "loader allocations", loader_work),
    counted("loader_bytes_per_batch", "bytes allocated by the loader", loader_work),
    counted("padding_tokens_per_step", "padding tokens",
            "batch samples of like length together, or round lengths up less."),
    highest_rank(counted("shapes_seen", "input shapes seen")),
    highest_rank(counted("cold_shapes_after_warmup", "cold shapes after warm-up",
                         "steps still meet input shapes that no earlier step had: pad batches, or round their lengths "
                         "up to a few buckets.")),
    counted(
        "primitive_creations_after_warmup", "oneDNN primitives made after warm-up",
        "steps still meet sizes for which no kernel is prepared: round the lengths of batches up to a few buckets."),
    described("samples_per_step", "samples"),
    described("padded_tokens_per_step", "padded tokens"),
    described("effective_tokens_per_step", "effective tokens"),

    once(memory("peak_allocated_bytes", true, "peak allocated")),
    once(memory("peak_reserved_bytes", true, "peak reserved")),
    growth("resident_bytes", from_zero(memory("leak_bytes_per_step", true, "leak per step"))),
    growth("host_heap_bytes", from_zero(memory("host_heap_growth_bytes_per_step", true, "host heap growth", hoarding)),
           host_heap_noise_bytes),
    last(memory("resident_bytes", false, "resident at step end")),
    growth("reserved_bytes", memory("reserved_growth_bytes_per_step", false, "growth of reserved memory")),
    once(memory("host_peak_bytes", false, "host peak (RSS)"), Scope::runner),
    instructions(host_instructions_margin, counted("host_instructions_per_step", "host instructions", host_code)),
    saved(counted("checkpoint_bytes", "checkpoint", larger_checkpoint)),
    from_zero(of_memory_pass(counted("allocator_retries_per_step", "allocator retries"))),
    from_zero(of_memory_pass(counted("allocator_stream_syncs_per_step", "allocator waits for all streams"))),
    from_zero(of_memory_pass(counted("ooms_per_step", "allocations out of memory"))),
    informative(of_memory_pass(counted("pinned_allocations_per_step", "pinned allocations by the driver"))),
    last(memory("peak_pinned_bytes", false, "peak pinned host memory")),
    only_shown(last(memory("outside_allocator_bytes", false, "device memory outside the allocator"))),
    only_shown({.name = "pinned_allocation_ns",
                .unit = "ns",
                .direction = lower,
                .tier = Tier::exact,
                .gates = false,
                .label = "time to pin host memory",
                .over_ranks = OverRanks::highest,
                .series = "pinned_allocation_ns"}),
    only_shown({.name = "minor_faults_per_step",
                .unit = "count",
                .direction = lower,
                .tier = Tier::exact,
                .gates = false,
                .label = "minor page faults",
                .over_ranks = OverRanks::highest,
                .series = "minor_faults_per_step"}),

    Metric{"loss", "", neither, Tier::numeric, true, "loss"},
    Metric{further_loss_family, "", neither, Tier::numeric, true, "* loss"},
    Metric{"grad_norm", "", neither, Tier::numeric, true, "gradient norm"},
    Metric{"loss_scale", "", neither, Tier::numeric, true, "loss scale"},
    Metric{"final_loss", "", neither, Tier::numeric, true, "final loss over seeds"},

    Metric{"step_time_ns", "ns", lower, Tier::timed, true, "step time"},
    Metric{"step_time_mean_ns", "ns", lower, Tier::timed, true, "step time, mean"},
    following({"first_step_ns", "ns", lower, Tier::timed, true, "first step"}, 0.1, 0.3),
    Metric{"effective_tokens_per_s", "tokens/s", higher, Tier::timed, true, "effective tokens"},
    following({"loader_samples_per_s", "samples/s", higher, Tier::timed, true, "loader supply"}, 0.05, 0.2),
};

constexpr std::array after_boundary_times = {
    Metric{"synthetic_step_ns", "ns", lower, Tier::timed, false, "synthetic step"},
    Metric{"reference_step_ns", "ns", lower, Tier::timed, false, "reference case"},
    Metric{"tflop_per_s", "TFLOP/s", higher, Tier::timed, false, "model FLOPs"},
    Metric{"mfu_ratio", "ratio", higher, Tier::timed, false, "MFU"},
    Metric{"enqueue_time_ns", "ns", lower, Tier::timed, false, "host time to queue a step"},
    Metric{"enqueue_ratio", "ratio", lower, Tier::timed, false, "queueing / step"},
    Metric{"device_backlog_ratio", "ratio", higher, Tier::timed, false, "steps queued ahead"},
    Metric{"samples_per_s", "samples/s", higher, Tier::timed, false, "samples"},
    Metric{"padded_tokens_per_s", "tokens/s", higher, Tier::timed, false, "padded tokens"},
    Metric{"padding_ratio", "ratio", lower, Tier::timed, false, "padding ratio"},
    Metric{"stall_ratio", "ratio", lower, Tier::timed, false, "stall (1 - synthetic/e2e)"},
    Metric{"sync_tax_ratio", "ratio", lower, Tier::timed, false, "cost of synchronising"},
    Metric{"supply_ratio", "ratio", higher, Tier::timed, false, "loader supply / compute demand"},
    Metric{"h2d_batch_bytes_per_s", "bytes/s", higher, Tier::timed, false, "H2D rate of a batch as it is"},
    Metric{"h2d_pageable_bytes_per_s", "bytes/s", higher, Tier::timed, false, "H2D rate, pageable"},
    Metric{"h2d_pinned_bytes_per_s", "bytes/s", higher, Tier::timed, false, "H2D rate, pinned"},
    Metric{"h2d_link_share", "ratio", higher, Tier::timed, false, "share of the link"},
    Metric{"h2d_split_ratio", "ratio", lower, Tier::timed, false, "batch as it is / one tensor"},
    Metric{"h2d_overlap_ratio", "ratio", higher, Tier::timed, false, "copy hidden behind compute"},
    Metric{"device_idle_ratio", "ratio", lower, Tier::timed, false, "device idle"},
    Metric{"logging_cost_ns", "ns", lower, Tier::timed, false, "logging on - off"},
    Metric{"checkpoint_save_ns", "ns", lower, Tier::timed, false, "saving a checkpoint"},
    Metric{"allreduce_ns", "ns", lower, Tier::timed, false, "gradient exchange"},
    Metric{"allreduce_wait_ns", "ns", lower, Tier::timed, false, "wait for gradients"},
    Metric{"allreduce_overlap_ratio", "ratio", higher, Tier::timed, false, "exchange hidden behind backward"},
};

constexpr auto catalogue = joined(before_boundary_times, boundary_times(), after_boundary_times);

constexpr std::string_view family_end = "[*]";

/// "loss[" of "loss[*]" and of "loss[discriminator]"; "" of a metric that is neither.
std::string_view family_begin(std::string_view metric) {
  const std::size_t bracket = metric.find('[');
  return bracket == std::string_view::npos || !metric.ends_with(']') ? "" : metric.substr(0, bracket + 1);
}

}  // namespace

std::span<const Metric> metric_catalogue() { return catalogue; }

bool is_family(const Metric& metric) { return metric.name.ends_with(family_end); }

const Metric* find_metric(std::string_view name) {
  const std::string_view member = member_name(name);
  for (const Metric& metric : catalogue) {
    const bool found =
        is_family(metric) ? !member.empty() && family_begin(metric.name) == family_begin(name) : metric.name == name;
    if (found) return &metric;
  }
  return nullptr;
}

std::string member_of(std::string_view family, std::string_view member) {
  return std::string(family_begin(family)) + std::string(member) + "]";
}

std::string_view member_name(std::string_view metric) {
  const std::size_t begin = family_begin(metric).size();
  if (begin == 0) return "";
  const std::string_view member = metric.substr(begin, metric.size() - begin - 1);
  return refused_boundary_name(member).empty() ? member : "";
}

std::string label_of(std::string_view metric) {
  const Metric* known = find_metric(metric);
  if (known == nullptr) return std::string(metric);
  std::string label(known->label);
  const std::size_t star = label.find('*');
  return star == std::string::npos ? label : label.replace(star, 1, member_name(metric));
}

std::vector<Metric> known_metrics(const std::set<std::string_view>& names) {
  std::vector<Metric> known;
  for (const Metric& row : catalogue) {
    if (!is_family(row)) {
      if (names.contains(row.name)) known.push_back(row);
      continue;
    }
    for (const std::string_view name : names) {
      if (family_begin(name) != family_begin(row.name) || member_name(name).empty()) continue;
      known.push_back(row);
      known.back().name = name;
    }
  }
  return known;
}

bool is_boundary_time(std::string_view metric) {
  const Metric* row = find_metric(metric);
  return row != nullptr && (row->name == own_boundary_family ||
                            std::any_of(boundary_table.begin(), boundary_table.end(),
                                        [&](const BoundaryRow& boundary) { return boundary.metric == row->name; }));
}

const Metric* find_series(std::string_view series) {
  for (const Metric& metric : catalogue) {
    if (!metric.series.empty() && metric.series == series) return &metric;
  }
  return nullptr;
}

std::string_view name_of(Tier tier) {
  constexpr std::array<std::string_view, 4> names = {"exact", "bytes", "timed", "numeric"};
  return names[static_cast<std::size_t>(tier)];
}

std::string_view name_of(Direction direction) {
  constexpr std::array<std::string_view, 3> names = {"lower_is_better", "higher_is_better", "neither"};
  return names[static_cast<std::size_t>(direction)];
}

std::string_view name_of(Scope scope) {
  constexpr std::array<std::string_view, 3> names = {"portable", "runner", "device"};
  return names[static_cast<std::size_t>(scope)];
}

}  // namespace stepgate
