// The codes of findings: one row per code. A code is stable, since files, exports and policies of others name it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/verdict/severity.h"

namespace stepgate {

enum class FindingCode {
  // Work and operators.
  host_sync_added,
  would_sync_added,
  loop_instead_of_batch,
  copy_added,
  operator_added,
  operator_removed,
  work_added,
  work_removed,
  saved_bytes_grew,
  saved_bytes_shrank,
  batch_norm_added,
  parameters_added,
  updates_more_often,
  detach_lost,
  graphs_held,
  grows_with_steps,
  conversion_added,
  primitives_after_warmup,
  flops_without_formula,
  workers_in_exact_passes,
  lines_unknown,
  pinning_lost,
  graphs_after_warmup,
  graph_grew,
  stream_hazard,
  hazards_unseen,
  // Patterns of work.
  anomaly_mode,
  eval_mode,
  optimizer_rebuilt,
  single_tensor_optimizer,
  conv_bias_before_norm,
  gradients_zeroed,
  float64_work,
  calls_per_item,
  indexing_loop,
  attention_written_out,
  expanded_product,
  repeat_for_expand,
  channels_last_lost,
  copy_in_product,
  cast_round_trip,
  copy_after_permute,
  host_made_tensor,
  unaligned_product,
  float32_product,
  // Mixed precision.
  amp_skips,
  skipped_update,
  low_precision_lost,
  clip_before_unscale,
  scale_not_updated,
  unscaled_twice,
  float16_reduction,
  float32_under_autocast,
  weights_cast_anew,
  // Losses and gradients.
  non_finite,
  forward_changed,
  gradient_changed,
  gradients_accumulate,
  update_changed,
  numerics_diverge,
  loss_changed,
  loss_scale_changed,
  numerics_changed,
  // Inference.
  train_mode_left_on,
  grad_mode_left_on,
  requests_stall,
  queue_unstable,
  // Memory.
  peak_grew,
  peak_shrank,
  batch_kept,
  kept_alive,
  leak_grew,
  counter_grew,
  resource_grew,
  checkpoint_grew,
  reserved_grew,
  allocator_retried,
  allocation_failed,
  allocator_waited,
  pinned_in_step,
  // Times.
  boundary_slower,
  overlap_lost,
  slower_everywhere,
  boundary_slower_below_margin,
  background_work,
  boundary_faster,
  first_step_slower,
  loader_slower,
  starved,
  padding_grew,
  copy_not_overlapped,
  cold_shape,
  new_shape,
  other_lengths,
  launch_bound,
  device_slower,
  times_without_baseline,
  times_not_gated,
  time_moved,
  time_explained,
  time_not_explained,
  less_work_per_step,
  // Policy.
  over_budget,
  below_floor,
  target_met,
  waiver,
  varying,
  does_not_vary,
  varying_unmeasured,
  // Processes that differ, noise and environment.
  losses_vary,
  counts_vary,
  bytes_vary,
  no_pairs,
  spread,
  left_undecided,
  too_noisy,
  tainted,
  late_generator,
  busy_while_waiting,
  disturbs_itself,
  unsteady,
  nothing_clean,
  replicate_failed,
  no_longer_available,
  outgrew_machine,
  environment_differs,
  facts_not_compared,
  tool_inside_process,
  program_changed_setting,
  // Results.
  operators_unconfirmed,
  sum_calibrated,
  calibration_incomplete,
  no_pending_file,
  nodes,
  unexplained,
};

/// What reports and other commands ask about a code.
enum class FindingNature {
  plain,
  observation,      ///< a note that every report shows, at any verdict: nobody has to act on it now
  added_operators,  ///< it names operators that a boundary calls more often
  no_baseline,      ///< it says why measured values are not a baseline, the plainest first
  of_environment    ///< it tells of another environment, which reports show apart
};

struct FindingCodeRow {
  FindingCode code;
  std::string_view name;  ///< as it is stored
  Severity highest;       ///< the highest severity that a finding with it has
  std::string_view says;  ///< one sentence
  FindingNature nature = FindingNature::plain;
};

namespace finding_code_detail {
using enum FindingCode;
using enum FindingNature;
using enum Severity;

inline constexpr auto rows = std::to_array<FindingCodeRow>({
    {host_sync_added, "host-sync-added", cause, "the host waits for the device more often", added_operators},
    {would_sync_added, "would-sync-added", cause, "more operators need a value on the host: on a GPU it waits"},
    {loop_instead_of_batch, "loop-instead-of-batch", cause,
     "one operator is called many times where a batched call was", added_operators},
    {copy_added, "copy-added", cause, "tensors are copied that were not copied before", added_operators},
    {operator_added, "operator-added", cause, "a boundary calls operators more often", added_operators},
    {operator_removed, "operator-removed", cause, "a boundary calls operators less often"},
    {work_added, "work-added", cause, "a counter of work rose, in the boundaries that it names"},
    {work_removed, "work-removed", note, "a counter of work fell"},
    {saved_bytes_grew, "saved-bytes-grew", cause, "forward keeps more for backward"},
    {saved_bytes_shrank, "saved-bytes-shrank", note, "forward keeps less for backward"},
    {batch_norm_added, "batch-norm-added", cause, "batch normalisation was added"},
    {parameters_added, "parameters-added", cause, "the model has more parameters"},
    {updates_more_often, "updates-more-often", cause, "the optimizer updates its parameters more often"},
    {detach_lost, "detach-lost", cause, "a detach() is gone, so that a graph reaches further than before"},
    {graphs_held, "graphs-held", cause, "something keeps the graphs of past steps"},
    {grows_with_steps, "grows-with-steps", cause, "a count, a level or the time of a step grows with its number"},
    {conversion_added, "conversion-added", cause, "tensors are converted or moved by .to() in every step"},
    {primitives_after_warmup, "primitives-after-warmup", cause, "steps after the warm-up make primitives of oneDNN"},
    {flops_without_formula, "flops-without-formula", note, "operators compute whose FLOPs flops_per_step leaves out"},
    {workers_in_exact_passes, "workers-in-exact-passes", cause,
     "threads beside the step, such as loader workers, call operators while its work is counted"},
    {lines_unknown, "lines-unknown", warning, "the program was observed without lines, so that no cause names one"},
    {pinning_lost, "pinning-lost", cause, "the batch is copied from pageable memory, so that the host waits for it"},
    {graphs_after_warmup, "graphs-after-warmup", cause, "steps after the warm-up still record CUDA graphs"},
    {graph_grew, "graph-grew", cause, "the CUDA graph of a step holds more kernels, copies or memsets"},
    {stream_hazard, "stream-hazard", cause, "two accesses to one place in memory are not ordered"},
    {hazards_unseen, "hazards-unseen", warning, "the search for stream hazards did not see all work"},
    {anomaly_mode, "anomaly-mode", cause, "autograd's anomaly mode is on"},
    {eval_mode, "eval-mode", cause, "the model is trained in eval mode"},
    {optimizer_rebuilt, "optimizer-rebuilt", cause, "the optimizer makes its state anew in each step"},
    {single_tensor_optimizer, "single-tensor-optimizer", cause, "the optimizer takes its tensors one by one"},
    {conv_bias_before_norm, "conv-bias-before-norm", cause, "a normalisation after a convolution takes its bias away"},
    {gradients_zeroed, "gradients-zeroed", cause, "gradients are set to zero instead of released"},
    {float64_work, "float64-work", cause, "operators compute in float64"},
    {calls_per_item, "calls-per-item", cause, "an operator is called once per sample or token"},
    {indexing_loop, "indexing-loop", cause, "a loop takes a tensor apart by select()"},
    {attention_written_out, "attention-written-out", cause, "attention is computed step by step and keeps its scores"},
    {expanded_product, "expanded-product", cause, "a matrix product is written as an expanded product and a sum"},
    {repeat_for_expand, "repeat-for-expand", cause, "repeat() copies what expand() would give as a view"},
    {channels_last_lost, "channels-last-lost", cause, "a tensor in channels_last is copied into row-major order"},
    {copy_in_product, "copy-in-product", cause, "a matrix product or convolution copies an operand first"},
    {cast_round_trip, "cast-round-trip", cause, "a tensor is cast down and back in one step"},
    {copy_after_permute, "copy-after-permute", cause, "a permuted tensor is copied into row-major order"},
    {host_made_tensor, "host-made-tensor", cause, "a tensor is filled on the host and then copied to the device"},
    {unaligned_product, "unaligned-product", note, "a profile saw 16-bit products of sizes unfit for Tensor Cores"},
    {float32_product, "float32-product", note, "a profile saw float32 products without TF32"},
    {amp_skips, "amp-skips", cause, "more updates are skipped because gradients overflow"},
    {skipped_update, "skipped-update", warning, "timed steps were left out because their update was skipped"},
    {low_precision_lost, "low-precision-lost", cause, "a step that computed in low precision computes in float32 now"},
    {clip_before_unscale, "clip-before-unscale", warning, "gradients are clipped while they are still scaled"},
    {scale_not_updated, "scale-not-updated", warning, "the loss scaler never updates its scale"},
    {unscaled_twice, "unscaled-twice", warning, "gradients are unscaled twice in a step"},
    {float16_reduction, "float16-reduction", warning, "a sum is computed in float16, which overflows"},
    {float32_under_autocast, "float32-under-autocast", note, "some products are computed in float32 under autocast"},
    {weights_cast_anew, "weights-cast-anew", note, "the same weights are cast more than once a step"},
    {non_finite, "non-finite", cause, "a loss or gradient norm is not finite"},
    {forward_changed, "forward-changed", cause, "the first loss differs, before anything was learnt"},
    {gradient_changed, "gradient-changed", cause, "losses agree up to a step whose gradient does not"},
    {gradients_accumulate, "gradients-accumulate", cause, "gradients add up over steps"},
    {update_changed, "update-changed", cause, "the loss after an update is the first that differs"},
    {numerics_diverge, "numerics-diverge", cause, "losses differ from a later step on"},
    {loss_changed, "loss-changed", cause, "a further loss is the first that differs"},
    {loss_scale_changed, "loss-scale-changed", cause, "the scale of the loss differs"},
    {numerics_changed, "numerics-changed", cause, "losses or gradient norms differ, as only the verdict sees"},
    {train_mode_left_on, "train-mode-left-on", cause, "a model that infers computes in train mode"},
    {grad_mode_left_on, "grad-mode-left-on", cause, "requests record graphs that no backward runs"},
    {requests_stall, "requests-stall", cause, "a few requests take far longer, and the others as long as before"},
    {queue_unstable, "queue-unstable", cause, "requests come faster than they are answered"},
    {peak_grew, "peak-grew", cause, "the memory peak rose"},
    {peak_shrank, "peak-shrank", note, "the memory peak fell"},
    {batch_kept, "batch-kept", cause, "the workload keeps its batches beyond their step"},
    {kept_alive, "kept-alive", cause, "more memory stays allocated at the end of a step"},
    {leak_grew, "leak-grew", cause, "each step leaves more memory behind"},
    {counter_grew, "counter-grew", cause, "another counter of bytes grows with each step"},
    {resource_grew, "resource-grew", cause, "each step keeps more mappings, descriptors, threads or files"},
    {checkpoint_grew, "checkpoint-grew", cause, "a checkpoint takes more room"},
    {reserved_grew, "reserved-grew", cause, "the allocator reserves more with each step although no more is live"},
    {allocator_retried, "allocator-retried", cause, "the allocator ran out of device memory and tried again"},
    {allocation_failed, "allocation-failed", cause, "allocations failed, and the program went on"},
    {allocator_waited, "allocator-waited", cause, "the allocator waited for all streams without having run out"},
    {pinned_in_step, "pinned-in-step", cause, "the driver pins host memory within a step"},
    {boundary_slower, "boundary-slower", cause, "one or several boundaries take the time that the step takes more"},
    {overlap_lost, "overlap-lost", cause, "the step takes longer, and its boundaries do not"},
    {slower_everywhere, "slower-everywhere", warning, "every boundary takes longer in the same proportion"},
    {boundary_slower_below_margin, "boundary-slower-below-margin", note,
     "a boundary got slower by less of the step than the step's margin", observation},
    {background_work, "background-work", cause, "threads or processes beside the step use more CPU time than before"},
    {boundary_faster, "boundary-faster", note, "one boundary takes most of the time that the step saves"},
    {first_step_slower, "first-step-slower", cause, "the first step of a process is slower"},
    {loader_slower, "loader-slower", cause, "the loader gives fewer samples a second"},
    {starved, "starved", note, "the step waits for the loader"},
    {padding_grew, "padding-grew", cause, "more of the tokens are padding"},
    {copy_not_overlapped, "copy-not-overlapped", cause, "less of the copying to the device runs beside compute"},
    {cold_shape, "cold-shape", warning, "timed steps met a new shape and were left out"},
    {new_shape, "new-shape", cause, "steps after the warm-up meet shapes for the first time"},
    {other_lengths, "other-lengths", warning, "the counted batches have other lengths than those of the baseline"},
    {launch_bound, "launch-bound", note, "the host queues a step for longer than the device runs it", observation},
    {device_slower, "device-slower", cause, "the device works longer in a step"},
    {times_without_baseline, "times-without-baseline", note, "these times have nothing to be compared with yet"},
    {times_not_gated, "times-not-gated", note, "the suite does not gate the times of this case", observation},
    {time_moved, "time-moved", cause, "an operator or line takes more of the step than in the base build"},
    {time_explained, "time-explained", note, "how much of a slower step the lines that it names explain"},
    {time_not_explained, "time-not-explained", note, "the lines that take the time were not looked for to the end"},
    {less_work_per_step, "less-work-per-step", cause, "a step does less work, so that a rate falls"},
    {over_budget, "over-budget", cause, "a metric exceeds its budget"},
    {below_floor, "below-floor", cause, "a metric is below its floor"},
    {target_met, "target-met", note, "an improvement met a target of the policy", observation},
    {waiver, "waiver", warning, "a waiver is in effect: what it excuses, or that it excuses nothing"},
    {varying, "varying", warning, "metrics that the policy declares to vary decide nothing here"},
    {does_not_vary, "does-not-vary", warning, "a metric is declared to vary, and all processes agree"},
    {varying_unmeasured, "varying-unmeasured", warning, "a loss is declared to vary that the case does not report"},
    {losses_vary, "losses-vary", cause, "processes of the same code have other losses", no_baseline},
    {counts_vary, "counts-vary", cause, "processes of the same code have other counts", no_baseline},
    {bytes_vary, "bytes-vary", cause, "processes of the same code have other bytes"},
    {no_pairs, "no-pairs", cause, "two measurements cannot tell slower code from a slower machine"},
    {spread, "spread", cause, "how far apart the values of a metric are that stayed open"},
    {left_undecided, "left-undecided", warning, "pairs stopped before this metric was decided"},
    {too_noisy, "too-noisy", warning, "this metric was not judged: its own spread leaves it undecided"},
    {tainted, "tainted", warning, "replicates were discarded for outside interference"},
    {late_generator, "late-generator", warning, "the generator of an open loop announced requests late"},
    {busy_while_waiting, "busy-while-waiting", warning,
     "a side worked while it had no window, so alternating windows were given up"},
    {disturbs_itself, "disturbs-itself", cause,
     "the program waits for its own threads or processes, or leaves the measured CPUs"},
    {unsteady, "unsteady", cause, "the warm-up never became steady"},
    {nothing_clean, "nothing-clean", cause, "one of two measurements has no clean timed process"},
    {replicate_failed, "replicate-failed", cause, "a process failed"},
    {no_longer_available, "no-longer-available", cause, "what the case needs is missing where it ran before"},
    {outgrew_machine, "outgrew-machine", cause, "the case ran before and needs more GPUs or memory than there are"},
    {environment_differs, "environment-differs", cause, "facts differ from those of the baseline", of_environment},
    {facts_not_compared, "facts-not-compared", note, "the baseline lacks facts of this run"},
    {tool_inside_process, "tool-inside-process", warning, "a tool was loaded into the measured process"},
    {program_changed_setting, "program-changed-setting", cause, "the program sets something otherwise than before"},
    {operators_unconfirmed, "operators-unconfirmed", note,
     "operators on an emulated GPU whose kernels no trace of a real one has confirmed", observation},
    {sum_calibrated, "sum-calibrated", note,
     "the sum of kernels on an emulated GPU holds what a real one starts for library calls", observation},
    {calibration_incomplete, "calibration-incomplete", note,
     "library calls of which the calibration of an emulated GPU says nothing", observation},
    {no_pending_file, "no-pending-file", note, "the values make no baseline that could be accepted", no_baseline},
    {nodes, "nodes", note, "what each machine of a comparison over several found"},
    {unexplained, "unexplained", cause, "a red of which no record says where it comes from"},
});

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].code != static_cast<FindingCode>(i)) return false;
  }
  return rows.size() == static_cast<std::size_t>(unexplained) + 1;
}
static_assert(is_in_order(), "one row per code, in the order of the codes");
}  // namespace finding_code_detail

/// All rows, in the order of the codes.
inline constexpr const auto& finding_code_rows = finding_code_detail::rows;

constexpr const FindingCodeRow& row_of(FindingCode code) { return finding_code_rows[static_cast<std::size_t>(code)]; }
constexpr std::string_view name_of(FindingCode code) { return row_of(code).name; }
constexpr std::optional<FindingCode> finding_code_named(std::string_view name) {
  for (const FindingCodeRow& row : finding_code_rows) {
    if (row.name == name) return row.code;
  }
  return std::nullopt;
}

}  // namespace stepgate
