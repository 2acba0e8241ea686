// The way of one case through the house, on one screen: measure, find baseline, judge, diagnose, remember.
#pragma once

#include <filesystem>
#include <functional>

#include "cli/context.h"
#include "core/manifest.h"
#include "core/measurement.h"
#include "core/run_report.h"
#include "launch/measure_case.h"

namespace stepgate {

/// <out>/<case>/<tier>: where the files of one half of the gate of one case lie.
std::filesystem::path result_folder(const Context& context, const std::string& case_name);

/// What the launcher is asked for, for this tier and these options.
LaunchRequest request_for(const Context& context, const ManifestCase& entry);

/// Starts the fresh processes of `entry` and writes <result folder>/measurement.json, also after an interruption.
Measurement measure(const Context& context, const ManifestCase& entry, const LaunchCallbacks& callbacks);

/// Everything after the measurement: the same for `gate` (just measured) and `check` (read from a file).
/// Writes verdict.json, junit.xml and, where there is something to accept, pending files.
Outcome judge_and_explain(const Context& context, const ManifestCase& entry, const Measurement& measurement);

}  // namespace stepgate
