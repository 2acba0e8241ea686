// The functions of NCCL that move bytes, and those of groups.
#include <nccl.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/nccl/nccl_buffers.h"
#include "emulator/nccl/nccl_handles.h"
#include "emulator/nccl/nccl_launch.h"
#include "emulator/process/api_scope.h"
#include "emulator/process/process_machine.h"

namespace stepgate::emulator {
namespace {

StreamHandle handle_of(cudaStream_t stream) {
  return static_cast<StreamHandle>(reinterpret_cast<std::uintptr_t>(stream));
}

/// A call of a collective, as the vendor's functions get it.
struct Asked {
  const char* function;
  NcclCollective call;
  ncclDataType_t type;
  ncclComm_t communicator;
  cudaStream_t stream;
};

/// The vendor's numbers of its own operators are those of NcclReductionKind but for two.
bool is_known_reduction(NcclCommunicator& communicator, ncclRedOp_t operation, NcclCollective& call) {
  constexpr NcclReductionKind kinds[] = {NcclReductionKind::sum, NcclReductionKind::product, NcclReductionKind::max,
                                         NcclReductionKind::min, NcclReductionKind::average};
  const int number = static_cast<int>(operation);
  if (number < 0) return false;
  if (number <= ncclAvg) {
    call.reduction.kind = kinds[number];
    return true;
  }
  const std::shared_ptr<const NcclUserReduction> made = communicator.reduction_of(number);
  if (made == nullptr || made->reduction.element != call.reduction.element) return false;
  call.reduction = made->reduction;
  call.factor = made->factor;
  return true;
}

/// NCCL looks for memory that its device cannot reach where NCCL_CHECK_POINTERS is set, and else the kernel fails.
bool is_given(const NcclCommunicator& communicator, const NcclBuffer& buffer) {
  const auto find = [](const void* address) { return process_machine().block_of(address); };
  return buffer.address != nullptr && is_reachable(find, buffer, communicator.device());
}

ncclResult_t run(Asked asked, const ncclRedOp_t* operation = nullptr) {
  const ApiScope scope(ApiDomain::runtime, 0, asked.function);
  const std::shared_ptr<NcclCommunicator> communicator = communicator_at(asked.communicator);
  if (communicator == nullptr || asked.type < 0 || asked.type >= ncclNumTypes) return ncclInvalidArgument;
  NcclCollective& call = asked.call;
  call.reduction.element = element_of(asked.type);
  if (call.root < 0 || call.root >= communicator->ranks()) return ncclInvalidArgument;
  if (operation != nullptr && !is_known_reduction(*communicator, *operation, call)) return ncclInvalidArgument;
  if (call.count == 0) return ncclSuccess;
  const bool reads = call.kind != NcclKind::broadcast || call.root == communicator->rank();
  const bool writes = call.kind != NcclKind::reduce || call.root == communicator->rank();
  const std::optional<NcclBufferBytes> bytes = buffer_bytes(call, communicator->ranks());
  if (!bytes || (reads && !is_given(*communicator, {call.from, bytes->sent})) ||
      (writes && !is_given(*communicator, {call.to, bytes->received}))) {
    return ncclInvalidArgument;
  }
  return launch({communicator, handle_of(asked.stream), call});
}

/// A message, as ncclSend and ncclRecv get it.
struct AskedMessage {
  const char* function;
  bool is_send;
  const void* address;
  std::size_t count;
  int peer;
};

ncclResult_t run(const AskedMessage& asked, ncclDataType_t type, ncclComm_t handle, cudaStream_t stream) {
  const ApiScope scope(ApiDomain::runtime, 0, asked.function);
  const std::shared_ptr<NcclCommunicator> communicator = communicator_at(handle);
  if (communicator == nullptr || type < 0 || type >= ncclNumTypes) return ncclInvalidArgument;
  if (asked.peer < 0 || asked.peer >= communicator->ranks()) return ncclInvalidArgument;
  const std::uint64_t element_bytes = row_of(element_of(type)).bytes;
  if (asked.count > std::numeric_limits<std::uint64_t>::max() / element_bytes) return ncclInvalidArgument;
  const std::uint64_t bytes = asked.count * element_bytes;
  if (bytes > 0 && !is_given(*communicator, {asked.address, bytes})) return ncclInvalidArgument;
  NcclTransfer transfer;
  transfer.is_send = asked.is_send;
  transfer.peer = asked.peer;
  transfer.address = static_cast<std::byte*>(const_cast<void*>(asked.address));  // a send only reads
  transfer.bytes = bytes;
  return launch({communicator, handle_of(stream), std::vector<NcclTransfer>{transfer}});
}

}  // namespace
}  // namespace stepgate::emulator

using stepgate::emulator::NcclKind;

extern "C" {

ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t operation,
                           ncclComm_t communicator, cudaStream_t stream) {
  return stepgate::emulator::run({"ncclAllReduce",
                                  {.kind = NcclKind::all_reduce, .from = from, .to = to, .count = count},
                                  type,
                                  communicator,
                                  stream},
                                 &operation);
}

ncclResult_t ncclReduce(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t operation, int root,
                        ncclComm_t communicator, cudaStream_t stream) {
  return stepgate::emulator::run({"ncclReduce",
                                  {.kind = NcclKind::reduce, .from = from, .to = to, .count = count, .root = root},
                                  type,
                                  communicator,
                                  stream},
                                 &operation);
}

ncclResult_t ncclReduceScatter(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t operation,
                               ncclComm_t communicator, cudaStream_t stream) {
  return stepgate::emulator::run({"ncclReduceScatter",
                                  {.kind = NcclKind::reduce_scatter, .from = from, .to = to, .count = count},
                                  type,
                                  communicator,
                                  stream},
                                 &operation);
}

ncclResult_t ncclBroadcast(const void* from, void* to, size_t count, ncclDataType_t type, int root,
                           ncclComm_t communicator, cudaStream_t stream) {
  return stepgate::emulator::run({"ncclBroadcast",
                                  {.kind = NcclKind::broadcast, .from = from, .to = to, .count = count, .root = root},
                                  type,
                                  communicator,
                                  stream});
}

ncclResult_t ncclBcast(void* buffer, size_t count, ncclDataType_t type, int root, ncclComm_t communicator,
                       cudaStream_t stream) {
  return stepgate::emulator::run(
      {"ncclBcast",
       {.kind = NcclKind::broadcast, .from = buffer, .to = buffer, .count = count, .root = root},
       type,
       communicator,
       stream});
}

ncclResult_t ncclAllGather(const void* from, void* to, size_t count, ncclDataType_t type, ncclComm_t communicator,
                           cudaStream_t stream) {
  return stepgate::emulator::run({"ncclAllGather",
                                  {.kind = NcclKind::all_gather, .from = from, .to = to, .count = count},
                                  type,
                                  communicator,
                                  stream});
}

ncclResult_t ncclAlltoAll(const void* from, void* to, size_t count, ncclDataType_t type, ncclComm_t communicator,
                          cudaStream_t stream) {
  return stepgate::emulator::run({"ncclAlltoAll",
                                  {.kind = NcclKind::all_to_all, .from = from, .to = to, .count = count},
                                  type,
                                  communicator,
                                  stream});
}

ncclResult_t ncclSend(const void* from, size_t count, ncclDataType_t type, int peer, ncclComm_t communicator,
                      cudaStream_t stream) {
  return stepgate::emulator::run({"ncclSend", true, from, count, peer}, type, communicator, stream);
}

ncclResult_t ncclRecv(void* to, size_t count, ncclDataType_t type, int peer, ncclComm_t communicator,
                      cudaStream_t stream) {
  return stepgate::emulator::run({"ncclRecv", false, to, count, peer}, type, communicator, stream);
}

ncclResult_t ncclGroupStart() {
  stepgate::emulator::nccl_group().start();
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  const stepgate::emulator::ApiScope scope(stepgate::emulator::ApiDomain::runtime, 0, "ncclGroupEnd");
  std::optional<std::vector<stepgate::emulator::NcclWork>> all = stepgate::emulator::nccl_group().end();
  return all ? stepgate::emulator::launch_all(std::move(*all)) : ncclInvalidUsage;
}

}  // extern "C"
