// Which allocator LibTorch takes device memory from (PYTORCH_ALLOC_CONF=backend:...).
#pragma once

#include <map>
#include <string>

namespace stepgate {

/// Whether it is LibTorch's own caching one. Others, such as backend:cudaMallocAsync, report neither blocks nor
/// requests: asked for blocks they throw, and figures of requests and calls stay 0.
bool is_native_allocator();

/// Why a figure of the native one is absent. "" where that one is in use.
const std::string& why_no_figure_of_allocator();

/// Exact metrics that the allocator in use cannot tell, and why.
std::map<std::string, std::string> metrics_without_allocator();

}  // namespace stepgate
