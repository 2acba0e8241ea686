// The functions of NCCL for memory and for operators that a program makes.
#include <nccl.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "emulator/nccl/nccl_buffers.h"
#include "emulator/nccl/nccl_handles.h"
#include "emulator/nccl/nccl_launch.h"
#include "emulator/process/api_scope.h"
#include "emulator/process/process_machine.h"

namespace emulator = stepgate::emulator;

extern "C" {

ncclResult_t ncclMemAlloc(void** made, size_t bytes) {
  const emulator::ApiScope scope(emulator::ApiDomain::runtime, 0, "ncclMemAlloc");
  if (made == nullptr || bytes == 0) return ncclInvalidArgument;
  const emulator::Allocated allocated = emulator::process_machine().allocate(scope.caller(), bytes);
  if (allocated.outcome == emulator::Outcome::ok) *made = allocated.address;
  return emulator::nccl_result_of(allocated.outcome);
}

ncclResult_t ncclMemFree(void* address) {
  const emulator::ApiScope scope(emulator::ApiDomain::runtime, 0, "ncclMemFree");
  if (address == nullptr) return ncclSuccess;
  return emulator::nccl_result_of(emulator::process_machine().free(scope.caller(), address));
}

ncclResult_t ncclCommRegister(const ncclComm_t handle, void* address, size_t bytes, void** registered) {
  const std::shared_ptr<emulator::NcclCommunicator> communicator = emulator::communicator_at(handle);
  if (communicator == nullptr || address == nullptr || bytes == 0 || registered == nullptr) return ncclInvalidArgument;
  *registered = reinterpret_cast<void*>(static_cast<std::uintptr_t>(communicator->add_registered(address)));
  return ncclSuccess;
}

ncclResult_t ncclCommDeregister(const ncclComm_t handle, void* registered) {
  const std::shared_ptr<emulator::NcclCommunicator> communicator = emulator::communicator_at(handle);
  if (communicator == nullptr) return ncclInvalidArgument;
  const auto number = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(registered));
  return communicator->remove_registered(number) ? ncclSuccess : ncclInvalidArgument;
}

// A factor in the memory of a device is read when the collective runs, one in the host's memory now.
ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* made, void* factor, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t handle) {
  const std::shared_ptr<emulator::NcclCommunicator> communicator = emulator::communicator_at(handle);
  const bool has_type = type >= 0 && type < ncclNumTypes;
  if (communicator == nullptr || made == nullptr || factor == nullptr || !has_type) return ncclInvalidArgument;
  const emulator::NcclElement element = emulator::element_of(type);
  const auto find = [](const void* address) { return emulator::process_machine().block_of(address); };
  const bool is_on_device = residence == ncclScalarDevice;
  if (is_on_device &&
      !emulator::is_reachable(find, {factor, emulator::row_of(element).bytes}, communicator->device())) {
    return ncclInvalidArgument;
  }
  emulator::NcclUserReduction reduction;
  reduction.reduction = {emulator::NcclReductionKind::premultiplied_sum, element, {}};
  if (is_on_device) {
    reduction.factor = factor;
  } else {
    reduction.reduction.factors = {emulator::value_of(element, factor)};
  }
  *made = static_cast<ncclRedOp_t>(communicator->add_reduction(std::move(reduction)));
  return ncclSuccess;
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t operation, ncclComm_t handle) {
  const std::shared_ptr<emulator::NcclCommunicator> communicator = emulator::communicator_at(handle);
  if (communicator == nullptr) return ncclInvalidArgument;
  return communicator->remove_reduction(static_cast<int>(operation)) ? ncclSuccess : ncclInvalidArgument;
}

}  // extern "C"
