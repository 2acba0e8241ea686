// What `stepgate doctor --device` found: one line for each thing that measurements on a GPU rely on.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/study/device_check.h"

namespace stepgate {

enum class DeviceVerdict {
  ok,
  look,        ///< it holds, and a person should know the figure
  bad,         ///< it does not hold
  cannot_see,  ///< it could not be measured here; the metrics that rest on it are absent, with a reason
  crashed,     ///< the check gave no figures
};

struct DeviceVerdictRow {
  DeviceVerdict verdict;
  std::string_view name;
};
inline constexpr DeviceVerdictRow device_verdict_rows[] = {{DeviceVerdict::ok, "ok"},
                                                           {DeviceVerdict::look, "look"},
                                                           {DeviceVerdict::bad, "bad"},
                                                           {DeviceVerdict::cannot_see, "cannot see"},
                                                           {DeviceVerdict::crashed, "crashed"}};

constexpr std::string_view name_of(DeviceVerdict verdict) {
  for (const DeviceVerdictRow& row : device_verdict_rows) {
    if (row.verdict == verdict) return row.name;
  }
  return "";
}

struct DeviceLine {
  std::string name;        ///< "event_order"
  std::string question;    ///< ends with a question mark
  bool essential = false;  ///< verdicts of the gate rest on it
  DeviceVerdict verdict = DeviceVerdict::cannot_see;
  std::string figure;   ///< what was measured, or why nothing was
  std::string meaning;  ///< for measurements on this runner
  std::string remedy;   ///< "" where nothing needs to be done

  bool operator==(const DeviceLine&) const = default;
};

struct DeviceReport {
  std::map<std::string, std::string> gpu;  ///< facts by key: gpu, gpu_pci_bus_id, gpu_driver, cuda_runtime, ...
  std::string missing;                     ///< why there is no GPU to examine; "" where there is one
  std::vector<DeviceLine> lines;           ///< empty where none is there
  DeviceCheckRuns runs;                    ///< what the lines were judged from

  bool operator==(const DeviceReport&) const = default;
};

/// True for a line that makes the command fail: it is essential, and is bad or gave no figures.
inline bool breaks_verdicts(const DeviceLine& line) {
  return line.essential && (line.verdict == DeviceVerdict::bad || line.verdict == DeviceVerdict::crashed);
}

}  // namespace stepgate
