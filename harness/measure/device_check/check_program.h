// The main function of stepgate_device_check, over any device.
#pragma once

#include <functional>
#include <memory>

#include "measure/device_check/probe_device.h"

namespace stepgate {

/// Throws ProbeMissing where there is no GPU, any other exception where it does not open.
using OpenProbeDevice = std::function<std::unique_ptr<ProbeDevice>()>;

/// `--list` prints the checks. `--check NAME --out FILE` runs one and writes its figures
/// (schemas/device_check.schema.json) to FILE as a whole; without --out they are printed. Returns the exit status: 0; 2
/// for a wrong command line; 3 where the check could not measure; 77 where there is no GPU. All but 0 print the reason
/// on stderr.
int run_check_program(int argc, const char* const* argv, const OpenProbeDevice& open);

}  // namespace stepgate
