// What run and gate share: the signal handlers and the progress line around the measuring of many cases.
#pragma once

#include <functional>
#include <vector>

#include "core/record/measurement.h"
#include "experiment/context.h"

namespace stepgate {

/// Those selected on the command line, without those that have nothing of the tier. Throws Error(usage) where none is
/// left.
std::vector<ManifestCase> cases_to_measure(const Context& context);

/// Measures `cases` one after the other, on a host that the caller has made quiet (quiet_host.h), and hands each
/// measurement to `on_measured` at once, so that an interruption loses at most the case that runs. Returns 0, or 128 +
/// the number of the signal.
int measure_cases(const Context& context, const std::vector<ManifestCase>& cases,
                  const std::function<void(const ManifestCase&, const Measurement&)>& on_measured);

}  // namespace stepgate
