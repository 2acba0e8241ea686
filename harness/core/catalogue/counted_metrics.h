// The counters of the counts pass and of what else is counted in each step.
#pragma once

#include <array>
#include <string_view>

#include "core/catalogue/row_kinds.h"

namespace stepgate::catalogue {

constexpr Metric of_data(Metric metric) {
  metric.of_data = true;
  return metric;
}

/// Describes the input: neither more nor less of it is better.
constexpr Metric described(std::string_view name, std::string_view label) {
  Metric metric = counted(name, count, label);
  metric.direction = neither;
  metric.gates = false;
  return of_data(metric);
}

/// A metric that CUPTI counts: what LibTorch and the libraries below it do differs from GPU to GPU.
constexpr Metric of_device(Metric metric) {
  metric.scope = Scope::runner;
  return metric;
}

/// Sums kernels of LibTorch and of the libraries below it.
constexpr Metric with_libraries(Metric metric) {
  metric.sums_libraries = true;
  return metric;
}

inline constexpr std::string_view temporaries =
    "a temporary more, or a larger one: look for out-of-place operations, copies, and shapes that grew.";
inline constexpr std::string_view kept_activations =
    "forward keeps more for backward: look for attention that is written out, a wider dtype, a fused operator that "
    "fell apart, and a checkpoint that is gone.";
inline constexpr std::string_view more_launches =
    "the step runs as more launches than before: look for a fused operator that fell apart, or a loop over tensors.";
inline constexpr std::string_view wider_batch =
    "look at the batch: a wider dtype, more padding, or a tensor that could be made on the device.";
inline constexpr std::string_view loader_work = "decoding, augmentation or collation do more work for each batch.";

inline constexpr std::array counted_metrics = {
    counted("operators_per_step", count, "operators"),
    counted("autograd_nodes_per_step", count, "autograd nodes",
            "more of the step is recorded for a backward: does an evaluation run without NoGradGuard?"),
    counted("saved_bytes_per_step", bytes, "bytes saved for backward", kept_activations),
    counted("flops_per_step", count, "FLOPs",
            "the same step computes more: look for shapes that grew and work done twice."),
    counted("bytes_touched_per_step", bytes, "bytes touched",
            "operators read and write more memory: look for copies, wider dtypes, and shapes that grew."),
    counted(
        "casts_per_step", count, "casts",
        "tensors change their dtype more often: cast once, where the value is made; under autocast give linear layers "
        "the parameter itself, so that its cast is kept."),
    counted("cast_bytes_per_step", bytes, "bytes cast",
            "casts read and write more memory: look for tensors that change their dtype and for operands that grew."),
    counted("copy_bytes_per_step", bytes, "bytes copied",
            "tensors are copied within the device: look for contiguous(), clone(), repeat(), and for layouts that a "
            "matrix product or convolution copies."),
    informative(counted("misaligned_matmul_flops_per_step", count, "FLOPs in misaligned products",
                        "sizes of matrix products are not multiples of 16 bytes: pad them, for example the vocabulary "
                        "to a multiple of 8.")),
    of_device(counted("own_kernels_per_step", count, "own kernels", more_launches)),
    of_device(
        counted("library_calls_per_step", count, "library calls",
                "more products, convolutions, normalisations or collectives are handed to cuBLAS, cuDNN and NCCL: "
                "look for one that is computed twice, a loop in place of a batch, and gradients that nobody "
                "needs.")),
    with_libraries(of_device(counted("kernels_per_step", count, "kernels", more_launches))),
    of_device(counted("graph_launches_per_step", count, "graph launches", more_launches)),
    of_device(counted("memcpys_per_step", count, "device copies",
                      "look for tensors that change the device, and for copies inside it (.contiguous(), .clone()).")),
    of_device(
        counted("memsets_per_step", count, "device memsets", "look for tensors that are zeroed anew in each step.")),
    of_device(counted("device_allocations_per_step", count, "device allocations",
                      "memory is taken from the driver during steps, which waits for the device: look for sizes that "
                      "grow, a cache that is emptied, and pinned memory that is made in each step.")),
    of_device(counted("device_syncs_per_step", count, "device syncs",
                      "the host waits for the device: look for synchronize(), copies without non_blocking, frees, and "
                      "reads of values.")),
    counted("host_syncs_per_step", count, "host syncs",
            "look for .item(), .cpu(), printing, or control flow on tensor values."),
    counted(
        "would_sync_per_step", count, "would-be syncs",
        "on a GPU the host waits here until the device is done: torch::where() or masked_fill() in place of a boolean "
        "mask as index, sizes that do not depend on values, and values that stay on the device."),
    counted("allocations_per_step", count, "allocations", temporaries),
    counted("allocated_bytes_per_step", bytes, "bytes allocated", temporaries),
    counted("h2d_copies_per_step", count, "H2D copies", wider_batch),
    counted("h2d_bytes_per_step", bytes, "H2D bytes", wider_batch),
    counted("pageable_copies_per_step", count, "H2D copies from pageable memory",
            "the batch lost its pinned memory (pin_memory, pinned_memory(true)): such copies wait and cannot overlap."),
    counted("d2h_copies_per_step", count, "D2H copies",
            "a tensor is read back: keep sums on the device and read them seldom."),
    counted("held_graphs_per_step", count, "graphs of past steps still held",
            "something keeps losses with their graphs: log loss.item(), or loss.detach() where it must stay on the "
            "device."),
    from_zero(highest_rank(
        counted("amp_skips_per_step", count, "skipped updates",
                "gradients overflow more often: look for a scale that starts too high, an update of the scale that "
                "is missing, and values that left the range of float16."))),
    from_zero(
        of_device(counted("graphs_after_warmup", count, "CUDA graphs made after warm-up",
                          "a shape of the inputs came that had no graph yet: pad the batch to few shapes, and let "
                          "all of them come early."))),
    of_device(counted("graph_kernel_nodes", count, "kernels in the CUDA graph", more_launches)),
    of_device(counted("graph_memcpy_nodes", count, "copies in the CUDA graph",
                      "look for copies between layouts and dtypes, and for tensors that come from the host.")),
    of_device(counted("graph_memset_nodes", count, "memsets in the CUDA graph",
                      "tensors are filled with zeros more often: look for zeros_like() and gradients that are reset in "
                      "place.")),
    of_device(counted("graph_pool_bytes", bytes, "memory of the CUDA graphs",
                      "each graph keeps its own memory: look for more shapes, and for tensors that the step keeps.")),
    // In a process of its own on an emulated GPU (`stepgate gate --hazards`).
    never_any(of_device(counted("stream_hazards", count, "stream hazards"))),
    only_shown({.name = "graph_recording_ns",
                .unit = ns,
                .direction = lower,
                .tier = Tier::exact,
                .gates = false,
                .label = "time to record the CUDA graphs",
                .over_ranks = OverRanks::highest}),
    of_data(counted("loader_operators_per_batch", count, "loader operators", loader_work)),
    of_data(counted("loader_allocations_per_batch", count, "loader allocations", loader_work)),
    of_data(counted("loader_bytes_per_batch", bytes, "bytes allocated by the loader", loader_work)),
    of_data(counted("padding_tokens_per_step", count, "padding tokens",
                    "batch samples of like length together, or round lengths up less.")),
    highest_rank(of_data(counted("shapes_seen", count, "input shapes seen"))),
    highest_rank(
        of_data(counted("cold_shapes_after_warmup", count, "cold shapes after warm-up",
                        "steps still meet input shapes that no earlier step had: pad batches, or round their lengths "
                        "up to a few buckets."))),
    counted(
        "primitive_creations_after_warmup", count, "oneDNN primitives made after warm-up",
        "steps still meet sizes for which no kernel is prepared: round the lengths of batches up to a few buckets."),
    described("samples_per_step", "samples"),
    described("padded_tokens_per_step", "padded tokens"),
    described("effective_tokens_per_step", "effective tokens"),
};

}  // namespace stepgate::catalogue
