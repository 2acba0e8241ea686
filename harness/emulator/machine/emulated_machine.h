// The emulated machine: devices, memory, streams, events, graphs and time behind one lock. It knows nothing of CUDA's
// types; the shims turn calls of a library into calls of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emulator/machine/machine_observer.h"
#include "emulator/memory/address_ranges.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/memory_pool.h"
#include "emulator/model/device_script.h"
#include "emulator/model/machine_options.h"
#include "emulator/model/outcome.h"
#include "emulator/work/effect_queue.h"
#include "emulator/work/machine_clock.h"
#include "emulator/work/operation_graph.h"
#include "emulator/work/stream_capture.h"
#include "emulator/work/stream_timeline.h"

namespace stepgate::emulator {

/// The state of the calling thread, which the runtime's shim keeps.
struct Caller {
  int device = 0;  ///< as the process counts the devices that it sees
  CaptureMode capture_mode = CaptureMode::global;
  std::uint64_t thread = 0;
  std::uint32_t correlation = 0;
  const char* function = "";  ///< the call that the program made
};

/// A new stream, event or graph.
struct Made {
  Outcome outcome = Outcome::ok;
  Handle handle = 0;
};

struct EventFlags {
  bool timing = true;
};

struct Elapsed {
  Outcome outcome = Outcome::ok;
  double ms = 0;
};

struct StreamFacts {
  int device = 0;
  std::uint32_t number = 0;
  StreamFlags flags;
};

struct CaptureFacts {
  Outcome outcome = Outcome::ok;
  CaptureStatus status = CaptureStatus::none;
  Handle capture = 0;
  GraphHandle graph = 0;  ///< the graph that the capture makes
  std::vector<NodeHandle> tail = {};
};

struct CopyRequest {
  void* to = nullptr;
  const void* from = nullptr;
  std::uint64_t bytes = 0;
  StreamHandle stream = default_stream;
  bool synchronous = false;  ///< cudaMemcpy rather than cudaMemcpyAsync
  bool has_values = true;    ///< false: within devices it only counts, because other work writes the bytes
  /// Of rows that do not touch: `bytes` is the length of one row.
  std::uint64_t rows = 1;
  std::uint64_t to_pitch_bytes = 0;
  std::uint64_t from_pitch_bytes = 0;
};

struct SetRequest {
  void* to = nullptr;
  unsigned value = 0;
  unsigned value_bytes = 1;  ///< 1, 2 or 4
  std::uint64_t bytes = 0;
  StreamHandle stream = default_stream;
  bool synchronous = false;
  bool has_values = true;  ///< as of a copy
};

class EmulatedMachine {
 public:
  /// `shown`: the list of CUDA_VISIBLE_DEVICES; absent where it is not set.
  explicit EmulatedMachine(MachineOptions options, const std::optional<std::string>& shown = std::nullopt,
                           DeviceScript script = {});
  ~EmulatedMachine();
  EmulatedMachine(const EmulatedMachine&) = delete;
  EmulatedMachine& operator=(const EmulatedMachine&) = delete;

  /// Observers are added before the first call, and outlive the machine.
  void add_observer(MachineObserver& observer) { observers_.push_back(&observer); }
  const std::vector<MachineObserver*>& observers() const { return observers_; }

  // ---- devices
  const MachineOptions& options() const { return options_; }
  const DeviceModel& model() const { return *options_.model; }
  /// How many the process sees.
  int devices() const { return static_cast<int>(shown_.size()); }
  /// The number of a device on the machine, which gives it its UUID and bus.
  int place_of(int device) const { return shown_.at(static_cast<std::size_t>(device)); }
  bool has_device(int device) const { return device >= 0 && device < devices(); }
  std::uint64_t memory_bytes() const;
  /// An outcome that stays: each later call that gives the device work, or waits for it, ends with it.
  void fail_device(int device, Outcome outcome);
  /// With what a script has brought by now.
  Outcome device_outcome(int device);
  const DeviceScript& script() const { return script_; }
  std::int64_t operations_of(int device) const;
  Outcome enable_peer_access(int from, int to);
  Outcome disable_peer_access(int from, int to);
  bool has_peer_access(int from, int to) const;
  MachineClock& clock() { return *clock_; }

  // ---- memory
  /// Device or managed memory.
  Allocated allocate(const Caller& caller, std::uint64_t bytes, MemoryKind kind = MemoryKind::device);
  /// Waits for the device first, as cudaFree does.
  Outcome free(const Caller& caller, void* address);
  Allocated allocate_host(const Caller& caller, std::uint64_t bytes);
  Outcome free_host(const Caller& caller, void* address);
  Outcome register_host(const Caller& caller, void* address, std::uint64_t bytes);
  Outcome unregister_host(const Caller& caller, void* address);
  Allocated allocate_async(const Caller& caller, std::uint64_t bytes, StreamHandle stream);
  Outcome free_async(const Caller& caller, void* address, StreamHandle stream);
  std::optional<MemoryBlock> block_of(const void* address) const;
  MemoryInfo memory_info(int device) const;
  PoolUse pool_use(int device);
  void reset_pool_high_marks(int device);
  void set_pool_threshold(int device, std::uint64_t bytes);
  std::uint64_t pool_threshold(int device);
  void trim_pool(int device, std::uint64_t kept_bytes);
  Allocated reserve_range(std::uint64_t bytes);
  Outcome free_range(void* address, std::uint64_t bytes);
  PhysicalMade create_physical(int device, std::uint64_t bytes);
  Outcome release_physical(PhysicalMemory memory);
  Outcome map_range(const Mapping& mapping);
  Outcome unmap_range(void* address, std::uint64_t bytes);
  Outcome allow_range(void* address, std::uint64_t bytes);

  // ---- streams
  Made create_stream(const Caller& caller, const StreamFlags& flags);
  /// What the stream holds still runs. A capture that began in it ends without a graph.
  Outcome destroy_stream(const Caller& caller, StreamHandle stream);
  Outcome query_stream(const Caller& caller, StreamHandle stream);
  Outcome synchronize_stream(const Caller& caller, StreamHandle stream);
  Outcome synchronize_device(const Caller& caller);
  std::optional<StreamFacts> stream_facts(const Caller& caller, StreamHandle stream);

  // ---- events
  Made create_event(const Caller& caller, const EventFlags& flags);
  Outcome destroy_event(EventHandle event);
  /// `external`: in a captured stream, a node of the graph records the event.
  Outcome record_event(const Caller& caller, EventHandle event, StreamHandle stream, bool external = false);
  Outcome wait_event(const Caller& caller, StreamHandle stream, EventHandle event, bool external = false);
  Outcome query_event(const Caller& caller, EventHandle event);
  Outcome synchronize_event(const Caller& caller, EventHandle event);
  Elapsed elapsed(EventHandle begin, EventHandle end);

  // ---- work
  Outcome submit(const Caller& caller, StreamHandle stream, Operation operation);
  Outcome copy(const Caller& caller, const CopyRequest& request);
  Outcome set(const Caller& caller, const SetRequest& request);
  /// Values of the work that the stream holds: runs after it, and again with each launch of a graph that captured it.
  Outcome add_effect(const Caller& caller, StreamHandle stream, Effect effect);
  /// Runs the effects up to the end of what the stream holds. No time passes.
  Outcome settle_stream(const Caller& caller, StreamHandle stream);
  /// Tells observers what the work that the stream holds reads and writes; again with each launch of a graph that
  /// captured it. Nothing is done and no time passes.
  Outcome add_accesses(const Caller& caller, StreamHandle stream, MemoryAccesses accesses);
  /// Tells observers what the host itself reads and writes now. Kept is what lies in page-locked memory.
  void add_host_accesses(const Caller& caller, const MemoryAccesses& accesses);
  /// For the thread beside the program (host_function_thread.h): what it waits for.
  EffectQueue& effects() { return effects_; }
  /// For the same thread: runs the next function of the host, and the effects before it, where its time has come,
  /// another thread waits for it, or no thread that gives work has called for MachineOptions::function_patience_ms. No
  /// time passes.
  void run_due_host_function();

  // ---- captures and graphs
  Outcome begin_capture(const Caller& caller, StreamHandle stream, CaptureMode mode);
  Made end_capture(const Caller& caller, StreamHandle stream);
  CaptureFacts capture_facts(const Caller& caller, StreamHandle stream);
  /// What the next node of a captured stream depends on; `add`: besides what it does already.
  Outcome set_capture_tail(const Caller& caller, StreamHandle stream, std::vector<NodeHandle> tail, bool add);
  Made create_graph();
  Made instantiate(GraphHandle graph);
  Outcome launch_graph(const Caller& caller, GraphHandle executable, StreamHandle stream);
  Outcome destroy_graph(GraphHandle graph);
  Outcome destroy_executable(GraphHandle executable);
  /// Absent where there is no such graph.
  std::optional<std::vector<NodeFacts>> nodes_of(GraphHandle graph) const;
  std::optional<NodeFacts> node_facts(NodeHandle node) const;

  /// What the machine still holds, for tests of leaks.
  struct Holdings {
    std::size_t streams = 0, events = 0, graphs = 0, executables = 0, captures = 0, effects = 0;
  };
  Holdings holdings() const;

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct EventState {
    EventFlags flags;
    int device = 0;
    bool is_recorded = false;
    std::int64_t at_ns = 0;
    Handle capture = 0;  ///< the capture that it was last recorded in
    std::vector<NodeHandle> tail;
  };
  struct Prepared {  ///< a copy or a memset
    Outcome outcome = Outcome::ok;
    Operation operation;
    bool waits = false;
  };
  struct Launch {  ///< of a graph
    int device = 0;
    StreamHandle stream = 0;
    std::uint32_t stream_number = 0;
    GraphHandle graph = 0;
    std::uint32_t correlation = 0;
    std::int64_t begin_ns = 0;
  };

  Handle next_handle();
  StreamState* stream_of(const Caller& caller, StreamHandle stream);
  EventState* event_of(EventHandle event);
  static CaptureCaller capture_caller(const Caller& caller) { return {caller.thread, caller.capture_mode}; }
  Outcome standing(int device);
  ScriptProgress progress_of(int device) const;

  void spend_on_work(const Caller& caller);
  std::int64_t time_of_question(const Caller& caller, std::int64_t done_ns);
  void tell_done(const Caller& caller, HostAnswer answer);
  bool all_wait(std::int64_t patience_ms) const;
  Outcome admit(const StreamState& stream);
  Outcome unsafe_call(const Caller& caller);
  Outcome queue(Lock& lock, const Caller& caller, StreamState& stream, Prepared prepared);
  Outcome add_node(StreamState& stream, Operation operation, std::shared_ptr<const OperationGraph> child = nullptr);
  std::int64_t meet(Lock& lock, const Operation& operation, std::int64_t begin_ns);
  bool moves(std::uint64_t bytes) const;
  Prepared prepare(const CopyRequest& request) const;
  Prepared prepare(const SetRequest& request) const;
  void wait(Lock& lock, HostWait what, std::int64_t until_ns);
  Outcome after_wait(int device);
  void leave_room(Lock& lock, StreamState& stream);
  std::int64_t done_ns(const StreamState& stream) const;
  void tell_planned(const PlannedOperation& planned);
  void tell_allocated(const MemoryCall& call);
  std::uint32_t origin_of(const Caller& caller);
  static WorkPlace place_of_work(const StreamState& stream);
  std::int64_t launch_nodes(Lock& lock, const Launch& launch, const OperationGraph& graph);
  std::int64_t launch_node(Lock& lock, const Launch& launch, const GraphNode& node);
  MemoryPool& pool_of(int device);

  MachineOptions options_;
  std::vector<int> shown_;
  DeviceScript script_;
  std::unique_ptr<MachineClock> clock_;
  std::int64_t start_ns_ = 0;
  std::vector<MachineObserver*> observers_;
  mutable std::mutex mutex_;
  EffectQueue effects_;
  DeviceMemory memory_;
  AddressRanges ranges_;
  std::map<int, MemoryPool> pools_;
  StreamTimeline timeline_;
  StreamCaptures captures_;
  GraphShelf graphs_;
  std::map<EventHandle, EventState> events_;
  std::map<std::pair<int, std::uint64_t>, StreamHandle> thread_streams_;
  std::map<GraphHandle, std::int64_t> executable_ready_ns_;
  std::set<std::uint64_t> workers_;  ///< threads that have given work
  std::int64_t last_work_ns_ = 0;    ///< when the last of them called, by the host's clock
  std::int64_t told_ns_ = 0;         ///< up to when a thread that only asks was told that work is done
  std::map<int, Outcome> failed_;
  std::map<int, std::int64_t> operations_;
  std::set<std::pair<int, int>> peers_;
  Handle last_handle_ = first_handle;
};

}  // namespace stepgate::emulator
