// When the launcher will stop a measured process: work that the process may leave out asks for it.
#pragma once

#include <optional>
#include <string>

namespace stepgate {

/// The measured process finds its deadline in it, by the steady clock of this machine. The value always has the same
/// length: the environment lies above the stack, and moves it.
inline constexpr const char* deadline_variable = "STEPGATE_DEADLINE";

/// The value of deadline_variable for a process that may run so long from now on.
std::string deadline_value(double limit_s);

/// Seconds that this process and its ranks have left, below 0 after the deadline. Absent where no launcher set one.
std::optional<double> seconds_to_deadline();

}  // namespace stepgate
