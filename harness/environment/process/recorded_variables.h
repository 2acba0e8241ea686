// Which of the user's variables a record names besides those that the launcher sets: what changes the speed, the memory
// or the counts of a CUDA process. docs/design/processes_and_passes.md lists them for users.
#pragma once

#include <array>
#include <string_view>

namespace stepgate {

enum class VariableRole {
  setting,   ///< changes times: part of the fact gpu_environment, which baselines of times are keyed by
  place,     ///< a path, an address, a log, a choice of devices: only recorded
  injection  ///< loads a tool into the process, which changes its times: recorded, and reported
};

struct RecordedVariable {
  std::string_view name;
  bool is_prefix = false;
  VariableRole role = VariableRole::setting;
};

/// The first row that fits decides.
inline constexpr auto recorded_rows = std::to_array<RecordedVariable>({
    {"LD_PRELOAD", false, VariableRole::place},
    {"PYTORCH_ALLOC_CONF", false, VariableRole::place},  // the fact alloc_conf has it
    {"PYTORCH_CUDA_ALLOC_CONF", false, VariableRole::place},
    {"CUBLAS_WORKSPACE_CONFIG", false, VariableRole::setting},
    {"CUBLASLT_LOG_", true, VariableRole::place},
    {"CUBLASLT_", true, VariableRole::setting},
    {"CUDA_INJECTION64_PATH", false, VariableRole::injection},
    {"NVTX_INJECTION64_PATH", false, VariableRole::injection},
    {"NSYS_", true, VariableRole::injection},
    {"CUDA_DEVICE_ORDER", false, VariableRole::place},
    {"CUDA_VISIBLE_DEVICES", false, VariableRole::place},
    {"CUDA_MPS_PIPE_DIRECTORY", false, VariableRole::place},
    {"CUDA_MPS_LOG_DIRECTORY", false, VariableRole::place},
    {"CUDA_MPS_", true, VariableRole::setting},
    {"CUDA_MODULE_LOADING", false, VariableRole::setting},
    {"CUDA_MODULE_DATA_LOADING", false, VariableRole::setting},
    {"CUDA_DEVICE_MAX_CONNECTIONS", false, VariableRole::setting},
    {"CUDA_DEVICE_MAX_COPY_CONNECTIONS", false, VariableRole::setting},
    {"CUDA_SCALE_LAUNCH_QUEUES", false, VariableRole::setting},
    {"CUDA_CACHE_DISABLE", false, VariableRole::setting},
    {"CUDA_FORCE_PTX_JIT", false, VariableRole::setting},
    {"CUDA_DISABLE_PTX_JIT", false, VariableRole::setting},
    {"TORCH_CUDNN_", true, VariableRole::setting},
    {"TORCH_NCCL_", true, VariableRole::setting},
    {"NCCL_DEBUG", true, VariableRole::place},
    {"NCCL_COMM_ID", false, VariableRole::place},
    {"NCCL_SOCKET_IFNAME", false, VariableRole::place},
    {"NCCL_CONF_FILE", false, VariableRole::place},
    {"NCCL_TOPO_", true, VariableRole::place},
    {"NCCL_GRAPH_", true, VariableRole::place},
    {"NCCL_", true, VariableRole::setting},
});

/// nullptr where no record names the variable.
constexpr const RecordedVariable* recorded_row_of(std::string_view name) {
  for (const RecordedVariable& row : recorded_rows) {
    if (row.is_prefix ? name.starts_with(row.name) : name == row.name) return &row;
  }
  return nullptr;
}

}  // namespace stepgate
