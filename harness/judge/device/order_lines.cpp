#include <fmt/format.h>

#include <cmath>

#include "core/text/number_format.h"
#include "judge/device/device_judgement.h"

namespace stepgate {
namespace {

/// The resolution of an event is about 0.5 us (CUDA Runtime API, cudaEventElapsedTime); a difference of two has twice
/// that.
constexpr double event_resolution_ns = 1000;

}  // namespace

DeviceJudgement judge_device_found(const DeviceCheckRuns& runs) {
  const std::string name = text_of(runs, "device", "gpu");
  const std::string found = text_of(runs, "device", "gpu_pci_bus_id");
  const std::string figure = fmt::format("{} at {}", name, found);
  const auto nvml = runs.find("nvml");
  const bool asked = nvml != runs.end() && nvml->second.figures.texts.contains("gpu_pci_bus_id");
  if (!asked) {
    return {DeviceVerdict::look, figure, "the driver's library does not name this GPU: no evidence is read from it",
            "make libnvidia-ml.so.1 visible; in a container: NVIDIA_DRIVER_CAPABILITIES=compute,utility"};
  }
  // A process that was given this GPU by its UUID may have opened another one.
  if (const std::string& read = nvml->second.figures.texts.at("gpu_pci_bus_id"); read != found) {
    return {DeviceVerdict::bad, fmt::format("{}, and the driver has the GPU of its UUID at {}", figure, read),
            "evidence is read from another GPU than the one that is measured",
            "run nvidia-smi -L in this environment, and check that driver and CUDA libraries are of one version"};
  }
  const auto busy = runs.find("busy");  // a later process, pinned to the GPU by the UUID that the driver gives
  const auto& texts = busy == runs.end() ? nvml->second.figures.texts : busy->second.figures.texts;
  const auto opened = texts.find("gpu_pci_bus_id");
  if (opened != texts.end() && opened->second != found) {
    return {DeviceVerdict::bad, fmt::format("{}, and its UUID opens the one at {}", figure, opened->second),
            "evidence is read from another GPU than the one that is measured",
            "set CUDA_VISIBLE_DEVICES to the UUID that nvidia-smi -L shows"};
  }
  return {DeviceVerdict::ok, figure, "evidence is read from the GPU that is measured"};
}

DeviceJudgement judge_event_order(const DeviceCheckRuns& runs) {
  const double forward_ns = value_of(runs, "event_order", "forward_ns");
  const double backward_ns = value_of(runs, "event_order", "backward_ns");
  const std::string figure = fmt::format("{} from the copy stream to the later compute stream, {} back",
                                         duration_text(forward_ns), duration_text(backward_ns));
  if (forward_ns <= 0 || std::abs(forward_ns + backward_ns) > event_resolution_ns) {
    return {DeviceVerdict::bad, figure, "device times of copies, phases and overlap are wrong",
            "update the driver; trust no device time on this runner until this line is ok"};
  }
  return {DeviceVerdict::ok, figure,
          "an earlier event gives a negative time, so overlap of copy and compute can be told"};
}

DeviceJudgement judge_growth_race(const DeviceCheckRuns& runs) {
  const double ordered = value_of(runs, "growth_race", "ordered_wrong_bytes");
  const double unordered = value_of(runs, "growth_race", "unordered_wrong_bytes");
  const double bytes = value_of(runs, "growth_race", "bytes");
  const std::string figure = fmt::format("of {} wrong: {} with an event, {} without", bytes_text(bytes),
                                         bytes_text(ordered), bytes_text(unordered));
  if (ordered > 0) {
    return {DeviceVerdict::bad, figure, "batches can be corrupt while they are copied: losses and counts are wrong",
            "report this as a defect of stepgate, with this document (--json)"};
  }
  if (unordered == 0) {
    return {DeviceVerdict::look, figure,
            "the race did not show even without the event, so the event proves nothing here",
            "run it again on a GPU that nothing else uses"};
  }
  return {DeviceVerdict::ok, figure, "a growing batch is copied whole"};
}

}  // namespace stepgate
