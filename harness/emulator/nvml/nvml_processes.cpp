// NVML: the processes that use a device.
#include <type_traits>
#include <vector>

#include "emulator/nvml/nvml_translation.h"

namespace stepgate::emulator {
namespace {

constexpr unsigned no_instance = 0xFFFFFFFFU;

template <typename Row>
Row row_of(const NvmlProcess& process) {
  Row row{};
  row.pid = process.pid;
  row.usedGpuMemory = process.used_bytes.value_or(static_cast<std::uint64_t>(NVML_VALUE_NOT_AVAILABLE));
  if constexpr (!std::is_same_v<Row, nvmlProcessInfo_v1_t>) {
    row.gpuInstanceId = no_instance;
    row.computeInstanceId = no_instance;
  }
  return row;
}

template <typename Row>
nvmlReturn_t give_rows(const std::vector<NvmlProcess>& processes, unsigned* count, Row* rows) {
  const unsigned room = *count;
  *count = static_cast<unsigned>(processes.size());
  if (processes.size() > room || (rows == nullptr && !processes.empty())) return NVML_ERROR_INSUFFICIENT_SIZE;
  for (const NvmlProcess& process : processes) *rows++ = row_of<Row>(process);
  return NVML_SUCCESS;
}

template <typename Row>
nvmlReturn_t list_processes(nvmlDevice_t device, unsigned* count, Row* rows) {
  if (count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  const auto found = process_nvml().processes(place.value);
  if (found.outcome != NvmlOutcome::ok) return code_of(found.outcome);
  return give_rows(found.value, count, rows);
}

/// Clients of a multi-process service: the script says how many, and nothing else of them, so their numbers are hidden.
template <typename Row>
nvmlReturn_t list_clients(nvmlDevice_t device, unsigned* count, Row* rows) {
  if (count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  std::int64_t clients = 0;
  const nvmlReturn_t result = read_number(device, NvmlReading::mps_clients, &clients);
  if (result != NVML_SUCCESS) return result;
  const auto number = static_cast<std::size_t>(std::max<std::int64_t>(clients, 0));
  return give_rows(std::vector<NvmlProcess>(number), count, rows);
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

/// The name without a version is the oldest one; LibTorch asks for it when it writes who holds memory.
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned* count, nvmlProcessInfo_v1_t* rows) {
  return list_processes(device, count, rows);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device, unsigned* count, nvmlProcessInfo_v2_t* rows) {
  return list_processes(device, count, rows);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned* count, nvmlProcessInfo_t* rows) {
  return list_processes(device, count, rows);
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned* count, nvmlProcessInfo_t* rows) {
  return list_clients(device, count, rows);
}

}  // extern "C"
