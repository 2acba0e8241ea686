// Tells a change of the machine from a change of the code: compares the base side of the pairs with the stored
// sessions.
#pragma once

#include <span>
#include <string>

#include "core/stored/policy.h"

namespace stepgate {

struct MachineCheck {
  enum class Outcome { still, slower, faster, absent };
  Outcome outcome = Outcome::absent;
  double change = 0;     ///< relative, of the base build now against its stored sessions; positive is worse
  double tolerance = 0;  ///< smallest relative change up that would have counted as slower
};

/// The base build ran in this run beside the head. If it too lies outside the prediction interval of its stored
/// sessions (stored_estimate.h), the machine changed, not only the code. Two-sided at 5 %, not divided over the suite,
/// because it only adds text to a verdict. `base` and `sessions` are log means, signed so that larger is worse. Absent
/// if either is empty.
MachineCheck check_machine(std::span<const double> base, std::span<const double> sessions, const Policy& policy);

/// "the machine moved: the base is slower here too (+8.1 % against its stored sessions)"; "" if it did not move or if
/// nothing is stored.
std::string describe(const MachineCheck& machine);

}  // namespace stepgate
