// The operators of a step with the times of the GPU in place of those of the host.
#pragma once

#include <vector>

#include "core/record/profile_run.h"
#include "core/study/profile.h"

namespace stepgate {

/// A call on a GPU returns before its kernels have run, so what was observed is the time of the host. Each site gets
/// the mean device time of a call with its boundary, name and sizes; where the trace has no call of these sizes, that
/// of its boundary and name; else 0. The profiler gives no sizes of lists of tensors: operators with them, such as
/// aten::cat, have the mean of their name. The observer costs the device nothing, so its walls are 0.
ProfileRun with_device_times(const ProfileRun& run, const std::vector<DeviceTime>& times);

/// Roofs of such times. What a call costs the host is no part of them. A copy of a small working set takes as long as
/// its call, so a level is at least as fast as the larger ones.
MachinePeaks device_peaks(MachinePeaks peaks);

/// What the operators of the profile are compared with: nothing, where their times are those of the host.
MachinePeaks roofs_of(const Profile& profile);

}  // namespace stepgate
