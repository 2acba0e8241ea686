#include "judge/verdict/machine_check.h"

#include <fmt/format.h>

#include <cmath>

#include "core/text/number_format.h"
#include "judge/interval/stored_estimate.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr double machine_level = 0.05;

}  // namespace

MachineCheck check_machine(std::span<const double> base, std::span<const double> sessions, const Policy& policy) {
  if (base.empty() || sessions.empty()) return {};
  const Estimate estimate = stored_estimate(mean(base), sessions, policy).estimate;
  const double reach =
      student_t_upper_quantile(machine_level / 2, estimate.degrees_of_freedom) * estimate.standard_error;
  MachineCheck check{
      .outcome = MachineCheck::Outcome::still, .change = std::expm1(estimate.theta), .tolerance = std::expm1(reach)};
  if (estimate.theta > reach) check.outcome = MachineCheck::Outcome::slower;
  if (estimate.theta < -reach) check.outcome = MachineCheck::Outcome::faster;
  return check;
}

std::string describe(const MachineCheck& machine) {
  const bool slower = machine.outcome == MachineCheck::Outcome::slower;
  if (!slower && machine.outcome != MachineCheck::Outcome::faster) return "";
  return fmt::format("the machine moved: the base is {} here too ({} against its stored sessions)",
                     slower ? "slower" : "faster", change_text(machine.change));
}

}  // namespace stepgate
