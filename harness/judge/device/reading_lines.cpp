#include <fmt/format.h>

#include <cmath>

#include "core/text/number_format.h"
#include "judge/device/device_judgement.h"

namespace stepgate {
namespace {

/// Large pinned copies reach 80 to 90 % of a PCIe link; below 60 % something takes a share of it, below 25 % the link
/// has fewer lanes or an older generation than it says. 105 %: the reading is not of this link.
constexpr double usual_share = 0.6;
constexpr double bad_share = 0.25;
constexpr double impossible_share = 1.05;

/// Clocks move in steps of about 1 %, and a sample is up to 0.2 s away from the work.
constexpr double look_clock_difference = 0.05;
constexpr double bad_clock_difference = 0.2;
constexpr double hz_per_mhz = 1e6;

std::string rate_text(double bytes_per_s) { return fmt::format("{:.1f} GB/s", bytes_per_s / 1e9); }

}  // namespace

DeviceJudgement judge_copy_rate(const DeviceCheckRuns& runs) {
  const double pinned = value_of(runs, "copy_rate", "pinned_bytes_per_s");
  const double pageable = value_of(runs, "copy_rate", "pageable_bytes_per_s");
  std::string figure = fmt::format("pinned {}, pageable {}", rate_text(pinned), rate_text(pageable));
  if (pinned < pageable) {
    return {DeviceVerdict::bad, figure,
            "pinned memory is slower than pageable memory: it is not pinned, or is far away",
            "run on CPUs near the GPU (stepgate doctor shows them)"};
  }
  const double link = value_of(runs, "copy_rate", "link_bytes_per_s");
  const double share = pinned / link;
  figure += fmt::format(", link {} ({})", rate_text(link), share_text(share));
  if (share > impossible_share) {
    return {DeviceVerdict::bad, figure, "h2d_link_share is wrong: the kernel describes another link than the one used",
            "a GPU with a link of its own to the CPU (NVLink-C2C) is not described by PCIe: ignore h2d_link_share"};
  }
  if (share < bad_share) {
    return {DeviceVerdict::bad, figure, "the link works below its rate: every copy is slow on this runner",
            "look at nvidia-smi -q -d PERFORMANCE and at the slot; a link that sleeps wakes up under load only"};
  }
  if (share < usual_share) {
    return {DeviceVerdict::look, figure, "something takes a share of the link, or the CPUs are far from the GPU",
            "run on CPUs near the GPU (stepgate doctor shows them)"};
  }
  return {DeviceVerdict::ok, figure, "h2d_link_share describes the link that copies use"};
}

DeviceJudgement judge_clock(const DeviceCheckRuns& runs) {
  const double worked_mhz = value_of(runs, "busy", "cycles_per_s") / hz_per_mhz;
  const double read_mhz = value_of(runs, "nvml", "clock_mhz");
  const double difference = std::abs(read_mhz - worked_mhz) / worked_mhz;
  const std::string figure = fmt::format("{:.0f} MHz by a timed spin, {:.0f} MHz by the driver ({} apart)", worked_mhz,
                                         read_mhz, share_text(difference));
  if (difference > bad_clock_difference) {
    return {DeviceVerdict::bad, figure, "the evidence on clocks describes another clock than the one that work runs at",
            "lock the clock (--guard host --gpu-clock MHZ) and look again; do not limit clock evidence in the policy"};
  }
  if (difference > look_clock_difference) {
    return {DeviceVerdict::look, figure, "the clock moved while it was read, as without a lock under a power limit",
            "lock the clock: --guard host --gpu-clock MHZ"};
  }
  return {DeviceVerdict::ok, figure, "a clock that falls during a measurement is seen"};
}

DeviceJudgement judge_process_list(const DeviceCheckRuns& runs) {
  const double before = value_of(runs, "nvml", "listed_before_count");
  const double during = value_of(runs, "nvml", "listed_during_count");
  const std::string figure = fmt::format("{:g} before ours computed, {:g} while it did", before, during);
  if (during < before + 1) {
    return {DeviceVerdict::bad, figure, "other users of this GPU are not seen, so they discard no process",
            "in a container share the host's process numbers (--pid=host), or give this runner the GPU alone"};
  }
  if (before > 0) {
    return {DeviceVerdict::look, figure, "somebody else uses this GPU: processes of a timed run will be discarded",
            "end it (nvidia-smi shows it), or choose another GPU with CUDA_VISIBLE_DEVICES"};
  }
  return {DeviceVerdict::ok, figure, "another user of this GPU would be seen, and discards the process"};
}

}  // namespace stepgate
