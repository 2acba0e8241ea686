// Means over the steps of the records that count.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/record/clean_records.h"

namespace stepgate {

using Records = std::vector<const RunRecord*>;

/// The pass of that name; null if it did not run.
const TimedPass* timed_pass(const RunRecord& record, Pass pass);

/// Steps of a pass that did not meet their shape for the first time.
std::vector<const StepSample*> warm_steps(const Records& records, Pass pass);

/// Mean over the warm steps of a pass of all these records; 0 without steps.
double mean_over_steps(const Records& records, Pass pass, const std::function<double(const StepSample&)>& value);

/// Mean host time of a boundary in one step of the e2e pass; on a device it is the time to queue its work.
double host_time_ns(const Records& records, Boundary boundary);

/// The time of a batch where batches are loaded alone (pass loader); absent if none was.
std::optional<double> loading_time_ns(const Records& records);

/// Step times of the e2e pass: of each step where the host's clock shows them, else the mean step of each window.
std::vector<double> step_times(const RunRecord& record);

/// An exact counter: mean over steps and processes; absent if it was not counted.
std::optional<double> counted_per_step(const Measurement& exact, const std::string& metric);

/// 1 - time in which the device worked / step, one per clean timed process that traced its device.
std::vector<double> device_idle_shares(const Records& timed);

bool runs_on_gpu(const Measurement& timed);

}  // namespace stepgate
