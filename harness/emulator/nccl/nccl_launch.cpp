#include "emulator/nccl/nccl_launch.h"

#include <cupti_runtime_cbid.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "emulator/machine/refusal.h"
#include "emulator/model/cost_model.h"
#include "emulator/process/api_scope.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/kernel_registry.h"

namespace stepgate::emulator {
namespace {

/// Own choice: NCCL's grids follow from the machine's links, which the models do not have.
constexpr Extent kernel_grid{16, 1, 1};
constexpr Extent kernel_block{512, 1, 1};

using Transfers = std::vector<NcclTransfer>;

bool moves(std::uint64_t bytes) {
  const MachineOptions& options = process_machine().options();
  return options.mode == ValueMode::values || bytes <= options.moved_bytes_limit;
}

Operation kernel_of(std::string name, std::uint64_t bytes) {
  return {.kind = OperationKind::collective,
          .name = interned(std::move(name)),
          .cost_ns = collective_ns(process_machine().model(), bytes),
          .grid = kernel_grid,
          .block = kernel_block,
          .is_library = true,
          .bytes = bytes,
          .moved = moves(bytes)};
}

/// The end of what begins when the last rank is there. Ranks have equal models, so it is the same on all.
Meeting meeting_of(NcclCommunicator& communicator, const NcclMet& met, std::int64_t cost_ns) {
  communicator.note(met);
  const double scaled_ns = static_cast<double>(cost_ns) * process_machine().options().device_scale;
  return {met.begin_ns + static_cast<std::int64_t>(scaled_ns)};
}

/// `run` meets the other ranks; `begin_ns` is when this one can.
template <typename Run>
ncclResult_t submit(const NcclWork& work, Operation operation, Run run) {
  const std::shared_ptr<NcclCommunicator> communicator = work.communicator;
  const std::int64_t cost_ns = operation.cost_ns;
  operation.meet = [communicator, cost_ns, run](std::int64_t begin_ns) {
    return meeting_of(*communicator, run(communicator->meeting(), begin_ns), cost_ns);
  };
  ApiScope scope(ApiDomain::runtime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060, "cudaLaunchKernelExC",
                 LaunchedKernel{operation.name});
  Caller caller = scope.caller();
  caller.device = communicator->device();
  const Outcome outcome = process_machine().submit(caller, work.stream, std::move(operation));
  return outcome == Outcome::ok ? nccl_result_of(communicator->state()) : nccl_result_of(outcome);
}

ncclResult_t copy_for_one_rank(const NcclWork& work, const NcclCollective& call) {
  if (call.from == call.to) return ncclSuccess;
  ApiScope scope(ApiDomain::runtime, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020, "cudaMemcpyAsync");
  Caller caller = scope.caller();
  caller.device = work.communicator->device();
  return nccl_result_of(process_machine().copy(
      caller, {.to = call.to, .from = call.from, .bytes = bytes_of(call, 1), .stream = work.stream}));
}

ncclResult_t launch_now(const NcclWork& work, const NcclCollective& call) {
  const bool is_scaled = call.reduction.kind == NcclReductionKind::premultiplied_sum;
  if (work.communicator->ranks() == 1 && !is_scaled) return copy_for_one_rank(work, call);
  Operation operation = kernel_of(kernel_name(call), bytes_of(call, work.communicator->ranks()));
  operation.accesses = accesses_of(call, work.communicator->rank(), work.communicator->ranks());
  const bool moved = operation.moved;
  return submit(work, std::move(operation), [call, moved](NcclMeeting& meeting, std::int64_t begin_ns) {
    return run_collective(meeting, call, begin_ns, moved);
  });
}

ncclResult_t launch_now(const NcclWork& work, Transfers transfers) {
  std::uint64_t bytes = 0;
  bool all_move = true;
  for (NcclTransfer& transfer : transfers) {
    transfer.moved = moves(transfer.bytes);
    all_move = all_move && transfer.moved;
    if (transfer.is_send) bytes += transfer.bytes;
  }
  if (bytes == 0) {
    for (const NcclTransfer& transfer : transfers) bytes += transfer.bytes;
  }
  Operation operation = kernel_of("ncclDevKernel_SendRecv", bytes);
  operation.moved = all_move;
  operation.accesses = accesses_of(transfers);
  return submit(work, std::move(operation),
                [transfers = std::move(transfers)](NcclMeeting& meeting, std::int64_t begin_ns) {
                  return meeting.transfer(transfers, begin_ns);
                });
}

ncclResult_t launch_now(const NcclWork& work) {
  if (const NcclEnd state = work.communicator->state(); state != NcclEnd::ok) return nccl_result_of(state);
  return std::visit([&work](const auto& what) { return launch_now(work, what); }, work.work);
}

struct NcclResultRow {
  ncclResult_t result;
  const char* text;
};

constexpr NcclResultRow result_rows[] = {
    {ncclSuccess, "no error"},
    {ncclUnhandledCudaError, "unhandled cuda error: a call of the emulated runtime failed"},
    {ncclSystemError, "unhandled system error: a call of the host failed"},
    {ncclInternalError, "internal error"},
    {ncclInvalidArgument, "invalid argument"},
    {ncclInvalidUsage, "invalid usage"},
    {ncclRemoteError, "remote process exited or there was a network error"},
    {ncclInProgress, "NCCL operation in progress"},
};

}  // namespace

ncclResult_t nccl_result_of(NcclEnd end) {
  static constexpr std::array<ncclResult_t, 5> results = {ncclSuccess, ncclRemoteError, ncclInvalidUsage,
                                                          ncclInvalidUsage, ncclRemoteError};
  return results[static_cast<std::size_t>(end)];
}

ncclResult_t nccl_result_of(Outcome outcome) { return outcome == Outcome::ok ? ncclSuccess : ncclUnhandledCudaError; }

const char* text_of_nccl_result(ncclResult_t result) {
  for (const NcclResultRow& row : result_rows) {
    if (row.result == result) return row.text;
  }
  return "unknown result code";
}

ncclResult_t launch(NcclWork work) {
  if (!nccl_group().is_open()) return launch_now(work);
  nccl_group().add(std::move(work));
  return ncclSuccess;
}

ncclResult_t launch_all(std::vector<NcclWork> all) {
  if (is_of_two_ranks(all)) refuse("ncclGroupEnd", "two ranks of one communicator in one thread");
  for (const NcclWork& work : all) {
    if (const ncclResult_t result = launch_now(work); result != ncclSuccess) return result;
  }
  return ncclSuccess;
}

}  // namespace stepgate::emulator
