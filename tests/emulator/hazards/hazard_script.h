// A machine whose work is told to a finder of hazards, and short ways to give it work.
#pragma once

#include <string>
#include <utility>

#include "emulator/hazards/hazard_finder.h"
#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {

constexpr std::uint64_t tensor_bytes = 4096;

inline MemoryAccess reads(const void* tensor) { return {tensor, tensor_bytes, false}; }
inline MemoryAccess writes(const void* tensor) { return {tensor, tensor_bytes, true}; }

class HazardScript {
 public:
  HazardScript() : machine(read_machine_options("h100:2")) { machine.add_observer(finder); }

  static Caller on(int device) { return {.device = device, .thread = 1, .function = "call"}; }

  StreamHandle stream(int device = 0) { return machine.create_stream(on(device), {.non_blocking = true}).handle; }
  StreamHandle blocking_stream() { return machine.create_stream(me, {}).handle; }
  EventHandle event(int device = 0) { return machine.create_event(on(device), {}).handle; }
  char* tensor(int device = 0) { return static_cast<char*>(machine.allocate(on(device), tensor_bytes).address); }
  char* pinned() { return static_cast<char*>(machine.allocate_host(me, tensor_bytes).address); }

  /// An operator that launches one kernel.
  void kernel(StreamHandle handle, const std::string& name, const MemoryAccesses& accesses) {
    as(name, [&] {
      machine.submit(me, handle, {.name = "kernel", .cost_ns = 1000});
      machine.add_accesses(me, handle, accesses);
    });
  }
  void collective(StreamHandle handle, const std::string& name, const MemoryAccesses& accesses) {
    as(name, [&] {
      machine.submit(me, handle,
                     {.kind = OperationKind::collective, .name = "AllReduce", .cost_ns = 1000, .accesses = accesses});
    });
  }
  void copy(StreamHandle handle, const std::string& name, void* to, const void* from) {
    as(name, [&] { machine.copy(me, {.to = to, .from = from, .bytes = tensor_bytes, .stream = handle}); });
  }
  void clear(StreamHandle handle, const std::string& name, void* to) {
    as(name, [&] { machine.set(me, {.to = to, .bytes = tensor_bytes, .stream = handle}); });
  }
  void host(const std::string& name, const MemoryAccess& access) {
    as(name, [&] { machine.add_host_accesses(me, {access}); });
  }
  void release(StreamHandle handle, const std::string& name, void* tensor) {
    as(name, [&] { machine.free_async(me, tensor, handle); });
  }

  void record(EventHandle handle, StreamHandle in) { machine.record_event(me, handle, in); }
  void wait(StreamHandle waiting, EventHandle handle) { machine.wait_event(me, waiting, handle); }
  /// `waiting` begins after all that `in` holds.
  void order(StreamHandle waiting, StreamHandle in, int device = 0) {
    const EventHandle handle = event(device);
    record(handle, in);
    wait(waiting, handle);
  }
  void begin_capture(StreamHandle handle) { machine.begin_capture(me, handle, CaptureMode::global); }
  GraphHandle end_capture(StreamHandle handle) {
    return machine.instantiate(machine.end_capture(me, handle).handle).handle;
  }
  void launch(GraphHandle executable, StreamHandle handle) { machine.launch_graph(me, executable, handle); }
  void let_all_end() { machine.clock().wait_until(1'000'000'000); }

  std::string operator_of(const AccessRecord& access) const { return finder.origins().at(access.origin).operator_name; }

  const Caller me = on(0);
  HazardFinder finder{""};
  EmulatedMachine machine;

 private:
  template <typename Call>
  void as(const std::string& name, Call call) {
    finder.begin_operator(me.thread, {name});
    call();
    finder.end_operator(me.thread);
  }
};

}  // namespace stepgate::emulator
