// The measuring half of `stepgate sweep`: rounds of fresh processes, one of every setting in each.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/study/sweep.h"
#include "experiment/context.h"

namespace stepgate {

/// <out>/sweep/<case>: sweep.json, sweep.svg and the run records.
std::filesystem::path sweep_folder(const Context& context, const std::string& case_name);

/// The CPUs that the most demanding setting of --vary needs. Throws Error(usage) for a grid that makes no sense.
std::int64_t sweep_cpus(const Context& context, const ManifestCase& entry);

/// Runs all rounds on the `entry.cpus` that sweep_cpus() says; ranking is left empty. A setting whose process fails is
/// not started again, the others go on. After a signal what was measured until then is returned, marked as interrupted.
/// Throws Error(usage) for a grid that makes no sense, and with the perftest's own words where it refused every setting
/// and does not declare a swept parameter.
Sweep measure_sweep(const Context& context, const ManifestCase& entry, const std::atomic<int>& interrupted);

}  // namespace stepgate
