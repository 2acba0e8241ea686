// Who watches the machine: CUPTI's part, and the log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "emulator/memory/device_memory.h"
#include "emulator/work/operation.h"
#include "emulator/work/operation_graph.h"

namespace stepgate::emulator {

enum class ApiDomain { runtime, driver };

/// One call of a program into a shim.
struct ApiCall {
  ApiDomain domain = ApiDomain::runtime;
  unsigned id = 0;                   ///< the number that CUPTI's header gives the function
  const char* name = "";             ///< outlives the machine
  const void* parameters = nullptr;  ///< CUPTI's structure of them, where the shim fills one
  const char* symbol = nullptr;      ///< of a launch: the kernel's name; outlives the process
  std::uint32_t correlation = 0;
  std::uint64_t thread = 0;
  std::uint64_t* correlation_data = nullptr;  ///< between entry and exit, for the observer's own use
  int outcome = 0;                            ///< at the exit: the number that the function returns
};

/// The kernel that a call launches. Its name outlives the process and ends with '\0'; "" where no library registered
/// it.
struct LaunchedKernel {
  std::string_view name;
};

/// What a host waited for.
enum class WaitKind { stream, device, event, copy, free };

struct HostWait {
  WaitKind kind = WaitKind::stream;
  const char* function = "";  ///< the call that waited
  std::uint64_t thread = 0;   ///< that called
  int device = 0;
  StreamHandle stream = 0;
  EventHandle event = 0;
  std::uint32_t correlation = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  StreamHandle work_stream = 0;  ///< the stream itself, where `stream` stands for one
};

/// A question of the host that was answered with "done": an event, or a stream where `event` is 0.
struct HostAnswer {
  int device = 0;
  StreamHandle stream = 0;
  EventHandle event = 0;
  std::uint64_t thread = 0;  ///< that asked
  bool gives_work = true;    ///< false: so far the thread has only asked
};

/// Where work is queued.
struct WorkPlace {
  int device = 0;
  StreamHandle stream = 0;
  std::uint32_t stream_number = 0;
  bool is_blocking = false;  ///< as of PlannedOperation
};

struct MemoryCall {
  MemoryKind kind = MemoryKind::device;
  int device = 0;
  const void* address = nullptr;
  std::uint64_t bytes = 0;
  bool is_free = false;
  WorkPlace place = {};      ///< of pooled memory: the stream in whose order it comes and goes
  std::uint32_t origin = 0;  ///< of what frees pooled memory, as of Operation
};

/// A call that queues a kernel, a collective or a function of the host, in a captured stream too.
struct SubmittedWork {
  std::uint64_t thread = 0;
  StreamHandle stream = 0;  ///< as the program names it
  int device = 0;
  const Operation& operation;
};

/// What the work before it in a stream has read and written, as the program told.
struct AccessedMemory {
  WorkPlace place;
  const MemoryAccesses& accesses;
  std::uint32_t origin = 0;
};

/// A launch of a graph, before its nodes are planned.
struct GraphStart {
  WorkPlace place;
  GraphHandle executable = 0;
  const OperationGraph& graph;
};

/// The machine calls all but entered() and left() with its lock held, so that an observer sees one order; it must not
/// call the machine.
class MachineObserver {
 public:
  virtual ~MachineObserver() = default;
  virtual void entered(const ApiCall&) {}
  virtual void left(const ApiCall&) {}
  virtual void planned(const PlannedOperation&) {}
  /// A wait begins: for what is queued by now, whatever other threads queue until its end.
  virtual void waits(const HostWait& /*without its end*/) {}
  virtual void waited(const HostWait&) {}
  virtual void allocated(const MemoryCall&) {}
  virtual void launched_graph(GraphHandle, std::size_t /*nodes*/) {}
  virtual void submitted(const SubmittedWork&) {}
  virtual void accessed(const AccessedMemory&) {}
  /// By the host itself, in page-locked memory.
  virtual void accessed_by_host(const MemoryAccesses&, std::uint32_t /*origin*/) {}
  virtual void answered_done(const HostAnswer&) {}
  /// A thread that may have only asked so far gives work, or is about to read or write page-locked memory.
  virtual void acts(std::uint64_t /*thread*/) {}
  virtual void began_graph(const GraphStart&) {}
  virtual void dropped_event(EventHandle) {}
  virtual void dropped_executable(GraphHandle) {}
  /// The observer's number of the call that the thread makes; 0 where it keeps none. It goes with what the call queues.
  virtual std::uint32_t origin_of_call(std::uint64_t /*thread*/) { return 0; }
};

}  // namespace stepgate::emulator
