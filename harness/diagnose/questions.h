// The questions that are asked of a comparison, in their order. A function answers each, in a file of the folder of its
// theme.
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"
#include "diagnose/questions_of_devices.h"
#include "diagnose/questions_of_emulation.h"
#include "diagnose/questions_of_inference.h"
#include "diagnose/questions_of_precision.h"

namespace stepgate {

/// Which values differ between processes that ran the same code with the same seed, and where does that come from?
/// Codes: losses-vary, counts-vary, bytes-vary. Each names the metrics, the processes, the first step and the
/// boundaries, the likely source, and the entry of the policy that declares them. A cause where nothing can be accepted
/// or decided because of them, else a warning. Metrics that the policy declares already have their own question
/// (explain_declared_varying).
/// Precondition: two processes of the same code and seed differ in a judged value; bytes only where neither losses nor
/// counts do.
std::vector<Finding> explain_varying_values(const JudgedComparison& input);

/// Do loader workers run in the exact passes, where the counts then depend on how far ahead they are?
/// "workers-in-exact-passes": a cause where an exact value is red or undecided, a warning where the processes counted
/// differently and nothing was judged, else a note.
/// Precondition: threads other than the step's ran operators in an exact pass.
std::vector<Finding> explain_loader_workers(const JudgedComparison& input);

/// Which counts grow with the number of the step? Code grows-with-steps: the series, what each step adds, and the
/// operator and line where the boundaries show it. A cause where such a count is red and the baseline's does not grow;
/// a note where there is nothing to compare with and the batches have one size. Nothing where the sizes of the batches
/// could explain it. Host instructions that clearly grow are added to it, or are a note of their own.
/// Precondition: in every process what a step has more than the same step of the baseline, or what its host runs, rises
/// at least three times and never falls, and sizes of batches do not explain it.
std::vector<Finding> explain_growing_counts(const JudgedComparison& input);

/// From which step on do losses or gradient norms differ, and where in the code does that point? It begins at the first
/// value that differs (numerics/first_difference.h), not at the first out of tolerance. Codes: non-finite,
/// forward-changed, gradient-changed, gradients-accumulate, update-changed, numerics-diverge, loss-changed,
/// loss-scale-changed, numerics-changed. Every portable finding names the ISA.
/// Precondition: a loss, a gradient norm or the loss scale differs from the baseline by more than the tolerance, or is
/// not finite.
std::vector<Finding> explain_numerics(const JudgedComparison& input);

/// In which pass and step beside those of pass numerics is a loss not finite for the first time? Code: non-finite, a
/// note where the base has the same.
/// Precondition: a loss beside pass numerics is not finite, and its metric is red or the base has the same.
std::vector<Finding> explain_late_breaks(const JudgedComparison& input);

/// Was batch normalisation added? Code: batch-norm-added, one finding per boundary. With a convolution or linear layer
/// a block was added, and its normalisation came along.
/// Precondition: the case is red, and a boundary calls batch_norm more often and no convolution or linear layer.
std::vector<Finding> explain_batch_norm(const JudgedComparison& input);

/// Does the model have more parameters? Code: parameters-added.
/// Precondition: the case is red, gradients of more tensors are set than the baseline's backward sets or the parameters
/// are larger, and the ledgers do not show parameters of the same size.
std::vector<Finding> explain_model_size(const JudgedComparison& input);

/// Does the optimizer update its parameters more often? Code: updates-more-often.
/// Precondition: the case is red, every operator of the optimizer is called by one factor more often, and neither
/// parameters, forward nor recorded nodes grew.
std::vector<Finding> explain_more_updates(const JudgedComparison& input);

/// Are gradients set to zero in place, where they were released before? Code: gradients-zeroed. zero_() is called once
/// more per gradient, and backward adds to as many gradients (aten::add_) that it set before (aten::detach). A backward
/// within forward is no zero_grad().
/// Precondition: the case is red, backward adds to gradients that it set before, and a boundary that sets none calls
/// zero_ on gradients more often.
std::vector<Finding> explain_zeroed_gradients(const JudgedComparison& input);

/// Was a detach() lost, so that a graph reaches further than before? Code: detach-lost.
/// Precondition: the case is red, a boundary but backward calls detach less often, and backward runs more operators or
/// memory grows with the run.
std::vector<Finding> explain_lost_detach(const JudgedComparison& input);

/// Does something keep the graphs of past steps? Code: graphs-held, one finding for the boundary that keeps most of
/// them: the graphs of losses, or of another tensor, such as a running mean of an output.
/// Precondition: held_graphs_per_step is red, or nodes are recorded that no backward runs and memory grows with
/// the run.
std::vector<Finding> explain_held_graphs(const JudgedComparison& input);

/// Is a costly pattern of work new? (docs/design/causes.md) Codes: those of pattern_table() whose cost a count shows,
/// except gradients-zeroed, which has a question of its own. One finding per code and boundary, only where the case is
/// red and what changed is what the pattern brings; a pattern that was there before is not a cause. Each names the
/// lines of its sites. Work in float64 may add no operator: then the boundary must touch as many bytes more.
/// Precondition: the case is red, the baseline's forward calls operators, and the change of counts is what the pattern
/// brings: see the rule of each pattern.
std::vector<Finding> explain_patterns(const JudgedComparison& input);

/// Are tensors converted or moved by .to() in every step? Code: conversion-added. Only where the case is red; one
/// finding per boundary in which all new operators are those of .to(): arithmetic of mixed types converts as well, and
/// that is not said here. It says where they become float64.
/// Precondition: the case is red, and .to() and what it calls are all that a boundary calls more often.
std::vector<Finding> explain_conversions(const JudgedComparison& input);

/// Do steps after the warm-up still prepare kernels for sizes that they have not met before? Code
/// primitives-after-warmup, from primitive_creations_after_warmup: a cause where that metric is red, else a note at any
/// verdict. It gives the lengths of the counted batches (5th, 50th and 95th percentile of the padded tokens per sample)
/// and names the 16-bit products, which pay most for it.
/// Precondition: steps after the warm-up made primitives of oneDNN; a cause where that metric is red.
std::vector<Finding> explain_cold_primitives(const JudgedComparison& input);

/// Which operators does flops_per_step leave out? A note flops-without-formula at any verdict: operators that compute
/// and have no FLOP formula, most bytes first, so that their FLOPs are never silently 0. Empty where FLOPs were not
/// counted or every operator has a formula.
/// Precondition: FLOPs were counted, and an operator that computes has no formula.
std::vector<Finding> note_unknown_flops(const JudgedComparison& input);

/// Which operators does a step call more or less often, and in which boundary? Codes: host-sync-added,
/// loop-instead-of-batch, copy-added, operator-added, operator-removed, a note that merge_causes() makes a cause where
/// losses changed. One finding per boundary, which says where its new calls make float64. A loop is ten calls in one
/// run of the function that calls, where the baseline knows functions. Precondition: both sides counted operators, and
/// a boundary calls one more or less often; a cause where the case is red.
std::vector<Finding> explain_operators(const JudgedComparison& input);

/// Does a step call more operators for which the host would wait for a device? Code: would-sync-added, where the metric
/// is red: the boundaries, the operators with their lines, and what to use in their place.
/// Precondition: would_sync_per_step is red.
std::vector<Finding> explain_added_waits(const JudgedComparison& input);

/// Which operators keep more of forward for backward? Codes "saved-bytes-grew" and "saved-bytes-shrank", where the
/// metric is regressed or improved: the boundary, the operators that save more, with their bytes, and the lines of the
/// first of them.
/// Precondition: saved_bytes_per_step is regressed or improved.
std::vector<Finding> explain_saved_bytes(const JudgedComparison& input);

/// In which boundary does a change of allocations, bytes, host syncs, kernels or copies sit? Codes: work-added,
/// work-removed. One finding per exact metric that moved, with the calls of CUDA's runtime or driver where both sides
/// name them; operators have their own question. More nodes of autograd point at an evaluation without NoGradGuard only
/// where backward calls no operator more often.
/// Precondition: an exact metric is regressed or improved, and no question of its own explains it; NoGradGuard is asked
/// for only where backward runs no more.
std::vector<Finding> explain_work_location(const JudgedComparison& input);

/// Which boundary's peak rose, and does something stay alive from step to step? Codes: peak-grew, peak-shrank,
/// kept-alive, leak-grew, counter-grew.
/// Precondition: a peak, resident memory or a growth of memory rose; leak-grew, where resident memory rose too, only if
/// the growth stands out from its noise; detach() is advised only where a graph may be kept.
std::vector<Finding> explain_memory(const JudgedComparison& input);

/// Does the workload still hold tensors of a batch when its step is over? Code: batch-kept, a cause where memory grew,
/// else a note at any verdict.
/// Precondition: the workload held a tensor of a batch after its step; a cause where memory is red and the tensor was
/// not overwritten.
std::vector<Finding> explain_kept_batch(const JudgedComparison& input);

/// Does a noisy level grow without being red? Code grows-with-steps, a note: growth below the noise floor in each step
/// or in chunks, where nothing measured is there to compare with; one rise that the measured base does not have.
/// Precondition: a level with a noise floor grew and is not red.
std::vector<Finding> explain_growing_levels(const JudgedComparison& input);

/// What of mappings, descriptors, threads, child processes, timers and files does each step keep? Code resource-grew,
/// one finding per metric of core/catalogue/held_metrics.h that grew: how much per step, in which boundary, and an
/// example.
/// Precondition: a metric of held resources grew.
std::vector<Finding> explain_held_resources(const JudgedComparison& input);

/// Does a checkpoint of the workload take more room? Code: checkpoint-grew. Only where checkpoint_bytes is red.
/// Precondition: checkpoint_bytes is red.
std::vector<Finding> explain_checkpoint(const JudgedComparison& input);

/// Did the device's allocators run out, wait for the device, or pin host memory within a step? Codes:
/// allocator-retried, allocation-failed, allocator-waited (a wait for all streams without a retry: someone empties the
/// cache), pinned-in-step. A cause where its metric is red; else a warning, and pinned-in-step a note.
/// Precondition: the allocator retried, failed, waited for all streams or pinned memory in a step; a cause where that
/// metric is red.
std::vector<Finding> explain_allocator_health(const JudgedComparison& input);

/// What is behind a limit of policy.json? Codes: over-budget, with what the budget was spent on; below-floor, with the
/// boundaries that take most of the step; target-met, one note for all targets that an improvement met.
/// Precondition: a metric exceeds its budget or is below its floor, or an improvement met a target.
std::vector<Finding> explain_limits(const JudgedComparison& input);

/// Does a step do less work, so that a rate falls further than its time rises? Code: less-work-per-step.
/// Precondition: a rate that the policy lets gate is red, and the work of a step fell.
std::vector<Finding> explain_changed_work(const JudgedComparison& input);

/// Do steps meet input shapes that they did not meet before? Code new-shape, a cause where shapes_seen or
/// cold_shapes_after_warmup is red. It names the shapes that are met for the first time after the warm-up, those that
/// the baseline does not have first.
/// Precondition: shapes_seen or cold_shapes_after_warmup is red.
std::vector<Finding> explain_new_shapes(const JudgedComparison& input);

/// Do the counted batches have other lengths than those of the baseline? Code other-lengths, a warning beside any red:
/// both histograms of lengths (core/record/batch_lengths.h) and what padding takes. Work and time then differ because
/// the batches do.
/// Precondition: the case is red, and the counted batches have other lengths than the baseline's.
std::vector<Finding> explain_changed_lengths(const JudgedComparison& input);

/// Is the input the reason: loader, padding, shapes, host-to-device copy? Codes: loader-slower, starved (a note beside
/// another red), padding-grew, copy-not-overlapped; and, on any verdict, cold-shape: steps that met a shape for the
/// first time and were left out of the times.
/// Precondition: the loader's supply or the overlap of copies got worse, timed steps met a new shape, or padding rose:
/// by count, by the matter margin, or so far that it explains half of the useful tokens that are gone.
std::vector<Finding> explain_input_path(const JudgedComparison& input);

/// Which boundary takes the time that the step takes more than before? Codes: boundary-slower, overlap-lost,
/// slower-everywhere, boundary-faster.
/// Precondition: the step time or mean latency is regressed or improved, not by a few requests, and boundaries were
/// timed; where none leads, those that both sides have are half of the step.
std::vector<Finding> explain_boundary_time(const JudgedComparison& input);

/// Which boundaries got slower for certain, by less of the step than its margin? Code boundary-slower-below-margin, a
/// note that every report shows, one per boundary.
/// Precondition: the time of a boundary is slower for certain, by less of the step than its margin.
std::vector<Finding> note_slower_boundaries(const JudgedComparison& input);

/// Do threads or processes beside the step use clearly more CPU time per step than those of the base? Code:
/// background-work, with the names of the threads. A cause where a step time is red, else a warning at any verdict;
/// where no times were compared, a note from the numerics passes.
/// Precondition: CPU time beside the step grew in every pair by a clear share of the step; a cause where a step time is
/// red, and the CPU time rose by clearly more than the time of the loader alone did.
std::vector<Finding> explain_background_work(const JudgedComparison& input);

/// Does the program do to itself what would discard its process if others did it: wait for its own threads or
/// processes, or allow threads on CPUs that are not measured? Code: disturbs-itself. A cause where a step time is red
/// and the base does not do it as much, else a note.
/// Precondition: the program waited for its own threads or left the measured CPUs; a cause where a step time is red and
/// the base does so less.
std::vector<Finding> explain_own_interference(const JudgedComparison& input);
/// Does a step take longer the later it comes? Code grows-with-steps. Every process must get slower, and the mean by
/// more than its noise, beyond that of the base build's processes: a cause where the step time is red, else a note.
/// Without a base a note from the matter margin on, since a machine that warms up looks the same.
/// Precondition: every process got slower over its pass, and the mean by more than its noise and the base's growth; a
/// cause where the step time is red.
std::vector<Finding> explain_growing_time(const JudgedComparison& input);

/// Is the cold first step slower for a reason of its own? Codes: first-step-slower.
/// Precondition: first_step_ns is red; a cause where later steps did not get slower by as much.
std::vector<Finding> explain_first_step(const JudgedComparison& input);

/// What makes a case inconclusive, and what would help? Codes: no-pairs (times of two measurements), spread,
/// left-undecided, too-noisy, tainted, unsteady, nothing-clean, replicate-failed, no-longer-available, outgrew-machine.
/// busy-while-waiting says on any verdict that alternating windows were given up.
/// Precondition: a metric is open or was not judged, or replicates were discarded, set aside, unsteady or failed.
std::vector<Finding> explain_noise(const JudgedComparison& input);

/// Does the allocator hold more and more although no more is live? Then it fragments, which looks like a leak from
/// outside. Code: reserved-grew. A cause where that metric or the reserved peak is red, a warning where it is new, else
/// a note. Nothing where memory leaks: what leaks has to be reserved, too.
/// Precondition: reserved memory grows, and no memory leaks.
std::vector<Finding> explain_reserved_growth(const JudgedComparison& input);

/// Does the host set the pace, because it needs longer to queue a step than the device to run it? Code: launch-bound,
/// an observation (is_observation) at any verdict. Silent where the host waits for data or for the device (host syncs),
/// and where the device has hardly any idle time: then another finding or none explains the pace.
/// Precondition: the host takes longer to queue a step than the device to run it, and waits for neither data nor
/// device.
std::vector<Finding> explain_launch_bound(const JudgedComparison& input);

/// Which facts of the environment differ from those that the baseline was measured under? Codes: environment-differs, a
/// cause where there is no comparable baseline or no decision because of it, a warning otherwise; facts-not-compared, a
/// note on facts that the runner baseline lacks; tool-inside-process, a warning; program-changed-setting, a cause, or a
/// note where only a switch that no key holds changed and nothing is red.
/// Precondition: a fact differs from that of the baseline, or a tool was loaded into the process.
std::vector<Finding> explain_environment(const JudgedComparison& input);

/// Do times have a reference yet? Code: times-without-baseline, at most one finding: what these times can be compared
/// with, today and later.
/// Precondition: a time has nothing to be compared with.
std::vector<Finding> explain_times_without_baseline(const JudgedComparison& input);

/// Why do causes name no lines? Code "lines-unknown", a warning that says once why causes of exact values name no lines
/// and how to get them. Only where an exact value is red and the program was observed without lines.
/// Precondition: an exact value is red, and the program was observed without lines.
std::vector<Finding> explain_unknown_lines(const JudgedComparison& input);

/// Which metrics does the policy declare to vary, and do they? Codes, all warnings: varying (these metrics were
/// measured and decide nothing here), does-not-vary (all processes agree, so the entry of the policy can go),
/// varying-unmeasured (the entry names a loss that the case does not report).
/// Precondition: the policy declares a metric to vary.
std::vector<Finding> explain_declared_varying(const JudgedComparison& input);

/// Which waivers of the policy are in effect for this case, and what does each excuse? One warning "waiver" for each
/// waiver that has not ended and whose metric was judged: what it excuses, or that it excuses nothing any more. Whoever
/// reads a green must see that a regression is behind it.
/// Precondition: a waiver of the policy is in effect and its metric was judged.
std::vector<Finding> name_waivers(const JudgedComparison& input);

using Question = std::vector<Finding> (*)(const JudgedComparison&);

// The most telling answer first: among equally strong causes, and within the other severities, this order is kept.
// One question a line, so that a new one changes one line.
// clang-format off
inline constexpr Question questions[] = {
    explain_varying_values,
    explain_loader_workers,
    explain_growing_counts,
    explain_lost_low_precision,
    explain_numerics,
    explain_late_breaks,
    explain_batch_norm,
    explain_model_size,
    explain_precision,  // faults of mixed precision are shown at any verdict
    explain_training_mode,   // at any verdict
    explain_recorded_graph,  // likewise
    explain_more_updates,
    explain_zeroed_gradients,
    explain_lost_detach,
    explain_held_graphs,
    explain_stream_hazards,  // a warning at any verdict
    explain_lost_pinning,
    explain_pinning_calls,
    explain_cuda_graphs,
    explain_patterns,
    explain_conversions,
    explain_cold_primitives,  // a note at any verdict
    note_unknown_flops,       // likewise
    explain_operators,
    explain_added_waits,  // behind host syncs
    explain_saved_bytes,
    explain_work_location,
    explain_held_resources,
    explain_memory,
    explain_kept_batch,  // a note at any verdict
    explain_growing_levels,
    explain_checkpoint,
    explain_allocator_health,
    explain_limits,
    explain_changed_work,
    explain_new_shapes,
    explain_changed_lengths,  // beside any red
    explain_input_path,
    note_slower_boundaries,  // beside a green step
    explain_background_work,
    explain_own_interference,
    explain_stalls,
    explain_unstable_queue,
    explain_late_generator,  // at any verdict
    explain_growing_time,
    explain_boundary_time,
    explain_first_step,
    explain_noise,
    explain_reserved_growth,
    explain_device_time,
    explain_launch_bound,  // shown at any verdict
    explain_environment,
    explain_unconfirmed_operators,  // at any verdict
    explain_calibration,            // likewise
    explain_times_without_baseline,
    explain_unknown_lines,  // once, whatever the causes
    explain_declared_varying,
    name_waivers,
};
// clang-format on

}  // namespace stepgate
