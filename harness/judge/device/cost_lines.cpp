#include <fmt/format.h>

#include "core/text/number_format.h"
#include "judge/device/device_judgement.h"

namespace stepgate {
namespace {

/// A step of a window records at most eight events (docs/design/measurement.md, "Marks and device events"), and the
/// harness may cost 0.1 % of a step.
constexpr double events_per_step = 8;
constexpr double allowed_share = 0.001;
/// Steps of training cases take 10 ms and more; those of 200 ms are the slow ones.
constexpr double usual_step_ns = 20e6;
constexpr double slow_step_ns = 200e6;

/// cudaHostAlloc pins pages at about 0.3 ms per MiB on current servers; four times that is an unusual kernel or
/// virtual machine, and at ten times a batch of 100 MiB costs a third of a second.
constexpr double look_pin_ns_per_mib = 1.2e6;
constexpr double bad_pin_ns_per_mib = 3e6;
constexpr double bytes_per_mib = 1024.0 * 1024.0;
/// Pinning that took most of the time that the GPU was busy did wait for it.
constexpr double waited_share = 0.8;

/// The launcher samples five times a second: 2 ms are 1 % of a CPU beside the measured one, 20 ms are 10 %.
constexpr double look_sample_ns = 2e6;
constexpr double bad_sample_ns = 20e6;

}  // namespace

DeviceJudgement judge_event_cost(const DeviceCheckRuns& runs) {
  const double record_ns = value_of(runs, "event_cost", "record_ns");
  const double shortest_ns = record_ns * events_per_step / allowed_share;
  const std::string figure = fmt::format("{} each; {:g} per step are 0.1 % of a step of {}", duration_text(record_ns),
                                         events_per_step, duration_text(shortest_ns));
  if (shortest_ns > slow_step_ns) {
    return {DeviceVerdict::bad, figure, "the events of stepgate slow down what it measures",
            "end profilers and debuggers (compute-sanitizer, nsys); give the process a CPU of its own"};
  }
  if (shortest_ns > usual_step_ns) {
    return {DeviceVerdict::look, figure, "short steps are recorded with fewer events", ""};
  }
  return {DeviceVerdict::ok, figure, "events cost less than 0.1 % of a usual step"};
}

DeviceJudgement judge_pinning(const DeviceCheckRuns& runs) {
  const double bytes = value_of(runs, "pinning", "bytes");
  const double idle_ns = value_of(runs, "pinning", "idle_ns");
  const double busy_ns = value_of(runs, "pinning", "behind_work_ns");
  const double work_ns = value_of(runs, "pinning", "work_ns");
  const double per_mib_ns = idle_ns * bytes_per_mib / bytes;
  const std::string figure = fmt::format("{} in {}, behind {} of work in {}", bytes_text(bytes), duration_text(idle_ns),
                                         duration_text(work_ns), duration_text(busy_ns));
  if (per_mib_ns > bad_pin_ns_per_mib) {
    return {DeviceVerdict::bad, figure, "loaders that pin each batch anew are slower than the GPU",
            "reuse pinned batches; look at the limit of locked memory (ulimit -l) and at huge pages"};
  }
  if (busy_ns > waited_share * work_ns) {
    return {DeviceVerdict::look, figure, "pinning waits for the GPU: a batch that is pinned anew stops the host",
            "let the loader reuse pinned batches"};
  }
  if (per_mib_ns > look_pin_ns_per_mib) {
    return {DeviceVerdict::look, figure, "pinning is slow on this machine", "let the loader reuse pinned batches"};
  }
  return {DeviceVerdict::ok, figure, "pinning a batch neither waits for the GPU nor takes long"};
}

DeviceJudgement judge_nvml_cost(const DeviceCheckRuns& runs) {
  const double sample_ns = value_of(runs, "nvml", "sample_ns");
  const std::string figure = fmt::format("{} for a sample, five a second", duration_text(sample_ns));
  if (sample_ns > bad_sample_ns) {
    return {DeviceVerdict::bad, figure, "reading the evidence disturbs the measurement",
            "switch on persistence (sudo nvidia-smi -pm 1), or run with --guard host"};
  }
  if (sample_ns > look_sample_ns) {
    return {DeviceVerdict::look, figure, "the launcher uses more than 1 % of a CPU; it needs one of its own",
            "switch on persistence: sudo nvidia-smi -pm 1"};
  }
  return {DeviceVerdict::ok, figure, "evidence is read beside the measurement without disturbing it"};
}

}  // namespace stepgate
