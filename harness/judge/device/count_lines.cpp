#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <vector>

#include "core/text/number_format.h"
#include "judge/device/device_judgement.h"

namespace stepgate {
namespace {

// Each figure is how often one call of that kind was reported.
using SyncKinds = std::vector<std::string>;

struct Seen {
  SyncKinds seen;
  SyncKinds unseen;
};

Seen seen_of(const DeviceCheckRuns& runs, std::string_view run, const SyncKinds& kinds) {
  Seen found;
  for (const std::string& kind : kinds) {
    (value_of(runs, run, kind + "_count") > 0 ? found.seen : found.unseen).push_back(kind);
  }
  return found;
}

/// Those of the training; "" where all had a deterministic implementation, as of programs before they were told.
std::string nondeterministic_operators_of(const DeviceCheckRuns& runs) {
  const auto& texts = runs.find("training")->second.figures.texts;
  const auto found = texts.find("nondeterministic_operators");
  return found == texts.end() ? "" : found->second;
}

std::string seen_text(const Seen& found) {
  std::string text = found.seen.empty() ? "none seen" : fmt::format("seen: {}", fmt::join(found.seen, ", "));
  if (!found.unseen.empty()) text += fmt::format("; not seen: {}", fmt::join(found.unseen, ", "));
  return text;
}

/// A kind of work, as calls of CUDA and as records of the device.
struct CountedWork {
  const char* kind;
  bool may_leave_no_record;
};
// On an H100, 305 of 1 055 memsets that cuBLAS asked for left no record.
constexpr std::array<CountedWork, 3> counted_work = {{{"kernels", false}, {"memcpys", false}, {"memsets", true}}};

/// "; of the kernels 12 by calls of the driver"; "" where the check does not tell, as that of an older version.
std::string driver_launches_text(const DeviceCheckRuns& runs) {
  const auto run = runs.find("work_by_cupti");
  if (run == runs.end()) return "";
  const auto launched = run->second.figures.values.find("driver_kernels");
  if (launched == run->second.figures.values.end()) return "";
  return fmt::format("; of the kernels {:g} by calls of the driver", launched->second);
}

}  // namespace

/// LibTorch warns in front of these three (warn_or_error_on_sync in c10/cuda); of the other kinds it knows nothing. A
/// kernel that waits for nothing must not count.
DeviceJudgement judge_syncs_by_warning(const DeviceCheckRuns& runs) {
  const Seen found = seen_of(runs, "syncs_by_warning", {"item", "nonzero", "pageable_copy"});
  const double false_ones = value_of(runs, "syncs_by_warning", "kernel_count");
  std::string figure = seen_text(found);
  if (false_ones > 0) figure += fmt::format("; a kernel alone counted {:g}", false_ones);
  if (!found.unseen.empty() || false_ones > 0) {
    return {DeviceVerdict::bad, figure, "host_syncs_per_step is wrong: an added .item() would pass",
            "build with a LibTorch that stepgate supports; its text of the sync warning may have changed"};
  }
  return {DeviceVerdict::ok, figure, "host_syncs_per_step sees what LibTorch's operators wait for"};
}

/// CUPTI's callbacks see each call of the runtime and of the driver, whoever makes it.
DeviceJudgement judge_syncs_by_cupti(const DeviceCheckRuns& runs) {
  const Seen found =
      seen_of(runs, "syncs_by_cupti",
              {"item", "nonzero", "pageable_copy", "device_sync", "event_sync", "device_malloc", "device_free"});
  const double false_ones = value_of(runs, "syncs_by_cupti", "kernel_count");
  std::string figure = seen_text(found);
  if (false_ones > 0) figure += fmt::format("; a kernel alone counted {:g}", false_ones);
  if (!found.unseen.empty() || false_ones > 0) {
    return {DeviceVerdict::bad, figure, "device_syncs_per_step and device_allocations_per_step are wrong",
            "use the libcupti of the same CUDA version as the runtime: ldd stepgate_device_check"};
  }
  return {DeviceVerdict::ok, figure, "device_syncs_per_step and device_allocations_per_step see every call"};
}

/// Both count requested bytes of the same blocks, so they are equal to the byte.
DeviceJudgement judge_allocator_trace(const DeviceCheckRuns& runs) {
  const auto traced = static_cast<std::int64_t>(value_of(runs, "allocator_trace", "trace_peak_bytes"));
  const auto counted = static_cast<std::int64_t>(value_of(runs, "allocator_trace", "statistics_peak_bytes"));
  const std::string figure =
      fmt::format("peak {} by the trace, {} by the statistics", exact_bytes_text(traced), exact_bytes_text(counted));
  if (traced != counted || traced == 0) {
    return {DeviceVerdict::bad, figure, "peak_bytes and the memory ledger do not describe the same memory",
            "leave PYTORCH_ALLOC_CONF at its default, and report this with the version of LibTorch"};
  }
  return {DeviceVerdict::ok, figure, "the memory ledger adds up to peak_bytes, to the byte"};
}

/// One training step in two processes, since CUPTI's callbacks and Kineto exclude each other. Each record of the device
/// has a call that asked for it, so more records than calls are work that no counter saw. The reverse is no fault of
/// the counters: a call may leave no record.
DeviceJudgement judge_work_counts(const DeviceCheckRuns& runs) {
  std::vector<std::string> counts;
  bool has_uncounted = false;
  bool lacks_records = false;
  double all = 0;
  for (const CountedWork& work : counted_work) {
    const double calls = value_of(runs, "work_by_cupti", work.kind);
    const double records = value_of(runs, "work_by_kineto", work.kind);
    has_uncounted = has_uncounted || records > calls;
    lacks_records = lacks_records || (records < calls && !work.may_leave_no_record);
    all += records;
    counts.push_back(fmt::format("{} {:g} and {:g}", work.kind, calls, records));
  }
  const std::string figure =
      fmt::format("by CUPTI and by Kineto: {}{}", fmt::join(counts, ", "), driver_launches_text(runs));
  if (has_uncounted || all == 0) {
    return {DeviceVerdict::bad, figure, "kernels_per_step, memcpys_per_step and memsets_per_step are wrong",
            "compare the versions of driver, libcupti and LibTorch; accept no exact baseline on this runner"};
  }
  if (lacks_records) {
    return {DeviceVerdict::look, figure, "counts stand; a profile lacks the time of work that left no record",
            "compare the versions of driver, libcupti and LibTorch before you trust a profile"};
  }
  return {DeviceVerdict::ok, figure, "kernels_per_step and its kind count what the GPU really does"};
}

/// The losses must be equal bit for bit: the numerics pass promises that for one build on one GPU, unless LibTorch has
/// no deterministic implementation of an operator.
DeviceJudgement judge_same_training(const DeviceCheckRuns& runs) {
  const std::string first = text_of(runs, "training", "digest");
  const std::string second = text_of(runs, "training_again", "digest");
  const std::string figure = first == second ? fmt::format("digest {} twice", first)
                                             : fmt::format("digests {} and {}, last losses {} and {}", first, second,
                                                           text_of(runs, "training", "last_loss"),
                                                           text_of(runs, "training_again", "last_loss"));
  const std::string refused = nondeterministic_operators_of(runs);
  if (!refused.empty()) {
    return {first == second ? DeviceVerdict::ok : DeviceVerdict::look,
            fmt::format("{}; not deterministic in this LibTorch: {}", figure, refused),
            "losses of a case with these operators are judged by ranges where they differ by more than rounding",
            first == second ? "" : "use a LibTorch that stepgate supports, or another GPU"};
  }
  if (first != second) {
    return {DeviceVerdict::bad, figure,
            "losses differ without a change of code: the numeric tier would be red by chance",
            "look for ECC errors (nvidia-smi -q -d ECC), overclocking, or a library without deterministic kernels"};
  }
  return {DeviceVerdict::ok, figure, "equal code gives equal losses, so a changed loss is a changed program"};
}

}  // namespace stepgate
