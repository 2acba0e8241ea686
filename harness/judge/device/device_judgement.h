// One question of the self-test of a GPU: its verdict, and the functions that the table of lines names.
#pragma once

#include <string>
#include <string_view>

#include "core/study/device_report.h"

namespace stepgate {

struct DeviceJudgement {
  DeviceVerdict verdict = DeviceVerdict::cannot_see;
  std::string figure;
  std::string meaning;
  std::string remedy = {};
};

/// A figure that the check did not give. The line becomes `cannot see` if the check says why, else `crashed`.
struct MissingFigure {
  std::string name;
  std::string reason;  ///< "" where the check does not say
};

/// The value of a run that measured. Throws MissingFigure.
double value_of(const DeviceCheckRuns& runs, std::string_view run, const std::string& name);
std::string text_of(const DeviceCheckRuns& runs, std::string_view run, const std::string& name);

// Each judges one line. The thresholds and their sources stand above each in its file. All throw MissingFigure.

// order_lines.cpp
DeviceJudgement judge_device_found(const DeviceCheckRuns& runs);
DeviceJudgement judge_event_order(const DeviceCheckRuns& runs);
DeviceJudgement judge_growth_race(const DeviceCheckRuns& runs);

// count_lines.cpp
DeviceJudgement judge_syncs_by_warning(const DeviceCheckRuns& runs);
DeviceJudgement judge_syncs_by_cupti(const DeviceCheckRuns& runs);
DeviceJudgement judge_allocator_trace(const DeviceCheckRuns& runs);
DeviceJudgement judge_work_counts(const DeviceCheckRuns& runs);
DeviceJudgement judge_same_training(const DeviceCheckRuns& runs);

// cost_lines.cpp
DeviceJudgement judge_event_cost(const DeviceCheckRuns& runs);
DeviceJudgement judge_pinning(const DeviceCheckRuns& runs);
DeviceJudgement judge_nvml_cost(const DeviceCheckRuns& runs);

// reading_lines.cpp
DeviceJudgement judge_copy_rate(const DeviceCheckRuns& runs);
DeviceJudgement judge_clock(const DeviceCheckRuns& runs);
DeviceJudgement judge_process_list(const DeviceCheckRuns& runs);

}  // namespace stepgate
