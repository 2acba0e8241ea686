// The lines of `stepgate doctor --device`, judged from the figures of the checks.
#pragma once

#include <vector>

#include "core/study/device_report.h"

namespace stepgate {

/// One line per row of the table in device_lines.cpp, in its order. A line whose check gave no figures is `crashed`
/// and names the reason; all others are judged. Pure.
std::vector<DeviceLine> judge_device(const DeviceCheckRuns& runs);

}  // namespace stepgate
