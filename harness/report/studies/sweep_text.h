// Settings, losses and knees of a sweep as text, equal in the table and in the plot.
#pragma once

#include <string>

#include "core/study/sweep.h"

namespace stepgate {

/// "batch_size=4 threads=2"
std::string setting_text(const Sweep& sweep, std::size_t setting);

/// The settings with this standing, with "; " between them.
std::string settings_text(const Sweep& sweep, Standing standing);

/// "[-1.1 %, +1.8 %]"
std::string change_bounds_text(const Interval& interval);

/// "more than 1 does not help: 2 brings +0.3 % [-1.1 %, +1.8 %]": one sentence without the parameter's name.
std::string knee_text(const Knee& knee);

}  // namespace stepgate
