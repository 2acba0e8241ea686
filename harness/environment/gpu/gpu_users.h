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

/// The most that any sample of the window lists, without our own; at least as many as before our first CUDA call where
/// the list did not grow since. Processes are counted, never matched by number. Under the Multi-Process Service its
/// server is nobody's; it counts as under the service where a client is listed, or where the driver has no list of
/// clients and the process was told of a service. Absent
/// - where the GPU hides its users (MIG, vGPU),
/// - where no sample fell into the window or none lists its users,
/// - where every list holds fewer than our own: what hides ours hides others too.
/// Pure.
OtherUsers other_users(const GpuWindow& window);

}  // namespace stepgate
