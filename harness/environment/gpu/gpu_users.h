// How many processes of others use a GPU while ours computes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "environment/gpu/gpu_window.h"

namespace stepgate {

struct OtherUsers {
  std::optional<std::int64_t> processes = {};
  std::string reason;  ///< why there is no count
};

/// The most that any sample of the window lists, without our own. If the list did not grow since our first CUDA call,
/// at least as many as before that call. Processes are counted, never matched by number. The server of the
/// Multi-Process Service does not count as a user. The service is in use if a client is listed, or if the driver has no
/// list of clients and the process was told of a service. Absent
/// - if the GPU hides its users (MIG, vGPU),
/// - if no sample fell into the window or none lists its users,
/// - if every list holds fewer than our own: what hides ours hides others too.
/// Pure.
OtherUsers other_users(const GpuWindow& window);

}  // namespace stepgate
