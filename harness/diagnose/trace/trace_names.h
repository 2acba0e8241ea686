// What do names in a trace stand for? One table per question, in the names of PyTorch, of the CUDA runtime and its
// counterparts of other devices, of libraries that exchange data, and of stepgate's own traces.
#pragma once

#include <string_view>

namespace stepgate {

/// Part of a step by the name of a range or operator at the host: "data-wait", "h2d", "forward", "backward",
/// "optimizer", "logging"; "" for any other name.
std::string_view host_part_named(std::string_view name);

/// A call that returns only when the device has done something that was asked of it before.
bool is_waiting_call(std::string_view runtime_call);

/// A kernel that exchanges data with other devices.
bool is_exchange(std::string_view kernel);

/// A copy from or to host memory that is not pinned; its call waits for it when it goes to the host.
bool is_pageable_copy(std::string_view copy);
bool is_copy_to_pageable(std::string_view copy);

}  // namespace stepgate
