// Examples of every document, with every optional present and values at their limits.
#pragma once

#include <string>

#include "core/record/measurement.h"
#include "core/record/run_record.h"
#include "core/stored/baseline.h"
#include "core/stored/manifest.h"
#include "core/stored/policy.h"
#include "core/verdict/run_report.h"

namespace stepgate {

RunRecord sample_timed_record();  ///< CUDA, timed, with device times, and with steps that lack them
RunRecord sample_gan_record();    ///< timed, of a loop that names boundaries, with a further loss
/// Timed, of a case that answers requests in both loops, with tokens and with modules in train mode.
RunRecord sample_inference_record();
RunRecord sample_exact_record();
/// A record of group profile with each part of a ProfileRun.
RunRecord sample_profile_record();  ///< counts, memory, numerics with non-finite values
Measurement sample_measurement();
Baseline sample_runner_baseline();
Baseline sample_portable_baseline();
Policy sample_policy();
RunReport sample_run_report();
std::string sample_manifest_text();

}  // namespace stepgate
