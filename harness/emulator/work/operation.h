// One piece of work of a device: as a call queues it, and as the machine has planned it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "emulator/model/cost_model.h"
#include "emulator/work/memory_access.h"

namespace stepgate::emulator {

/// Streams, events, graphs and graph nodes have numbers that are used once, so a handle that is no longer valid is
/// found. They are multiples of 256 from first_handle on, because LibTorch tells streams of its own from others by
/// their lowest bits.
using Handle = std::uint64_t;
using StreamHandle = Handle;
using EventHandle = Handle;
using GraphHandle = Handle;
using NodeHandle = Handle;
inline constexpr Handle first_handle = 0x10000;
inline constexpr Handle handle_step = 256;

/// The handles that every device has: NULL and cudaStreamLegacy are one stream.
inline constexpr StreamHandle default_stream = 0;
inline constexpr StreamHandle legacy_stream = 1;
inline constexpr StreamHandle thread_stream = 2;

/// What the work does to memory. It runs when the machine's time has come to the end of the operation.
using Effect = std::function<void()>;

enum class OperationKind {
  kernel,
  copy,
  memset,
  host_function,
  collective,
  event_record,
  event_wait,
  empty,
  child_graph,
  effect_only,  ///< values of the work before it: no node of a graph, in no log
};

struct Extent {
  unsigned x = 1, y = 1, z = 1;
};

/// How a collective meets those of the other ranks.
struct Meeting {
  std::int64_t end_ns = 0;  ///< of this process's clock
};
/// Called once the inputs of the collective are there, without a lock. It blocks until all ranks have come, moves the
/// bytes, and returns when the collective ends. `begin_ns`: when this rank could begin.
using Meet = std::function<Meeting(std::int64_t begin_ns)>;

struct Operation {
  OperationKind kind = OperationKind::kernel;
  std::string_view name = "";  ///< outlives the machine
  std::int64_t cost_ns = 0;    ///< before the machine's device_scale
  Extent grid = {};
  Extent block = {};
  std::uint32_t shared_bytes = 0;
  bool is_library = false;  ///< of a math library; else one of LibTorch's or the user's own kernels
  std::uint64_t bytes = 0;  ///< of a copy, a memset or a collective
  CopyDirection direction = CopyDirection::device_to_device;
  bool pageable = false;  ///< a copy from or to pageable host memory
  bool moved = true;      ///< false: larger than what the machine moves
  Effect effect = {};
  Meet meet = {};         ///< of a collective
  EventHandle event = 0;  ///< of event_record and event_wait in a graph
  /// What it reads and writes, where the machine is told: of copies, memsets and collectives. Of a kernel nobody knows.
  MemoryAccesses accesses = {};
  std::uint32_t origin = 0;  ///< an observer's number of the call that queued it, 0 where no observer asks
};

/// A planned operation, as CUPTI and the log see it.
struct PlannedOperation {
  const Operation& operation;
  int device = 0;
  StreamHandle stream = 0;
  std::uint32_t stream_number = 0;  ///< counted from 1 on each machine
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint32_t correlation = 0;
  GraphHandle graph = 0;     ///< of an operation that a graph launch planned
  NodeHandle node = 0;       ///< the same
  bool is_blocking = false;  ///< its stream waits for the legacy stream, and that for it
};

}  // namespace stepgate::emulator
