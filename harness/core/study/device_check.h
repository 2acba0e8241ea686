// What one check of a GPU measured. stepgate_device_check writes it, `stepgate doctor --device` reads and judges it.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace stepgate {

/// Figures of one check in one process; nothing here is judged.
struct DeviceFigures {
  std::string check;                               ///< its name, e.g. "event_order"
  std::map<std::string, double> values = {};       ///< by name; the name ends with the unit: "record_ns"
  std::map<std::string, std::string> texts = {};   ///< facts and digests by name
  std::map<std::string, std::string> absent = {};  ///< value or text -> why it could not be measured

  bool operator==(const DeviceFigures&) const = default;
};

/// How the process of a check ended.
enum class CheckEnd {
  measured,  ///< it wrote its figures
  missing,   ///< there is no GPU, or no driver
  failed,    ///< it said that it could not measure
  crashed,   ///< a signal, a time limit, or no readable figures
};

struct CheckEndRow {
  CheckEnd end;
  std::string_view name;
};
inline constexpr CheckEndRow check_end_rows[] = {{CheckEnd::measured, "measured"},
                                                 {CheckEnd::missing, "missing"},
                                                 {CheckEnd::failed, "failed"},
                                                 {CheckEnd::crashed, "crashed"}};

constexpr std::string_view name_of(CheckEnd end) {
  for (const CheckEndRow& row : check_end_rows) {
    if (row.end == end) return row.name;
  }
  return "";
}

struct DeviceCheckRun {
  CheckEnd end = CheckEnd::crashed;
  std::string reason;     ///< one sentence; "" where it measured
  DeviceFigures figures;  ///< empty unless it measured

  bool operator==(const DeviceCheckRun&) const = default;
};

/// Runs by name: that of the check, or "training_again" for the second process of check "training". The readings of
/// the launcher itself are the run "nvml".
using DeviceCheckRuns = std::map<std::string, DeviceCheckRun, std::less<>>;

}  // namespace stepgate
