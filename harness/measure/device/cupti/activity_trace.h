// When the device worked, from CUPTI's activity records of kernels, copies and memsets on all streams.
#pragma once

#include <memory>

#include "measure/device/cupti/cupti_library.h"
#include "measure/device/work/device_work_trace.h"

namespace stepgate::cupti {

/// A process can run one such trace at a time: CUPTI's buffer callbacks carry no pointer of the caller. Needs no
/// subscriber. Tracing slows launches, so it never runs in windows whose times are judged.
std::unique_ptr<DeviceWorkTrace> make_activity_trace(std::shared_ptr<const Library> library);

}  // namespace stepgate::cupti
