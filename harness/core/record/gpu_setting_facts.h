// The facts of a fingerprint that say how a GPU and the libraries on it are set.
#pragma once

#include <array>
#include <string_view>

namespace stepgate {

/// Times on a GPU depend on them. A baseline that lacks one was stored before stepgate read it: such a fact is not
/// compared, and the report says so.
inline constexpr std::array<std::string_view, 9> gpu_setting_facts = {
    "tf32_matmul",       "tf32_cudnn", "cudnn_benchmark", "alloc_conf",   "gpu_environment",
    "gpu_power_limit_w", "gpu_ecc",    "gpu_mig",         "gpu_pcie_link"};

}  // namespace stepgate
