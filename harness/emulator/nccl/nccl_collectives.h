// The collectives: which bytes of which rank go where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/nccl/nccl_meeting.h"
#include "emulator/nccl/nccl_reduce.h"
#include "emulator/work/memory_access.h"

namespace stepgate::emulator {

enum class NcclKind { all_reduce, broadcast, reduce, all_gather, reduce_scatter, all_to_all };

/// One call of a rank. `count` is the vendor's: of elements that one rank sends, of reduce_scatter those that one
/// receives, of all_to_all those from one rank to one.
struct NcclCollective {
  NcclKind kind = NcclKind::all_reduce;
  const void* from = nullptr;
  void* to = nullptr;
  std::uint64_t count = 0;
  NcclReduction reduction = {};  ///< its element is the type where nothing is reduced, too
  int root = 0;
  /// Of a premultiplied sum whose factor is in memory: it is read when the collective runs.
  const void* factor = nullptr;
};

struct NcclBufferBytes {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

/// Of the buffers of a rank that uses both. Absent where a number of bytes has no room in 64 bits.
std::optional<NcclBufferBytes> buffer_bytes(const NcclCollective& call, int ranks);
/// Of the larger one of the two buffers.
std::uint64_t bytes_of(const NcclCollective& call, int ranks);
/// What one rank reads and writes.
MemoryAccesses accesses_of(const NcclCollective& call, int rank, int ranks);
MemoryAccesses accesses_of(const std::vector<NcclTransfer>& transfers);
/// As NCCL's kernels are called in public traces: "ncclDevKernel_AllReduce_Sum_f32_RING_LL".
std::string kernel_name(const NcclCollective& call);
/// `moves`: false where only the times are agreed.
NcclMet run_collective(NcclMeeting& meeting, const NcclCollective& call, std::int64_t begin_ns, bool moves);

}  // namespace stepgate::emulator
