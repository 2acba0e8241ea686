// What takes the time of a step? Parts that add up to the step.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/study/profile.h"
#include "diagnose/profile/step/step_means.h"

namespace stepgate {

struct AccountInput {
  const Records& timed;
  const std::vector<OperatorRow>& operators;  ///< empty where nothing was observed
  const MachinePeaks& peaks;
  double step_ns = 0;  ///< the mean step of these processes
  bool gpu = false;
};

/// CPU, where the parts are one after another: data-wait, h2d and logging are host times of the e2e pass. The time of
/// the operators between them is split for each operator into dispatch (calls * floor), compute-roof or bandwidth-roof
/// (docs/design/profile_analysis.md, "Account"), and below-roof. `other` is the rest: host code between operators.
/// Without peaks of this machine `operators` is all of it. If the operators would exceed the step, which their scaling
/// cannot exclude, they are shrunk to fit.
///
/// GPU: device-busy is the time in which the device worked (device_work pass), data-wait the host's wait for data as
/// far as the device idles, device-idle the rest. Without that pass: data-wait and other.
///
/// The parts add up to step_ns. Parts of nothing are left out, except `other`.
std::vector<AccountPart> time_account(const AccountInput& input);

/// Share of that part; 0 where the account has none.
double share_of_part(const std::vector<AccountPart>& account, std::string_view part);

/// Shares of the step of operators by what makes their roof, with all of their time. Operators that are mostly the cost
/// of a call, or have no roof, count as neither.
struct SideShares {
  double compute = 0;    ///< above the ridge, or without bytes
  double bandwidth = 0;  ///< below it
};
SideShares side_shares(const std::vector<OperatorRow>& operators, double step_ns);

/// A step and the memory that it goes over.
struct StepSize {
  double step_ns = 0;
  std::int64_t working_set_bytes = 0;  ///< the most that is allocated at once; 0: not known
};

/// The most that moving bytes can take of the step, as a share of it: operators below the ridge, with all their bytes
/// at the rate of the smallest measured working set that is no smaller than the step's. Where that is not known or none
/// is as large, at the lowest rate. No more than their time. 0 without rates.
double share_of_bytes(const std::vector<OperatorRow>& operators, const MachinePeaks& peaks, const StepSize& step);

}  // namespace stepgate
