// A machine in virtual time with two devices of one model, and short ways to call it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emulator/machine/call_log.h"
#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {

class MachineTest : public testing::Test {
 protected:
  explicit MachineTest(const std::string& options = "h100:2 mode=values", const std::string& script = "")
      : machine_(read_machine_options(options), std::nullopt, read_device_script(script)) {
    machine_.add_observer(log_);
  }

  static Caller on_device(int device) { return {.device = device, .thread = 1, .function = "call"}; }
  static Caller in_thread(std::uint64_t thread, CaptureMode mode = CaptureMode::global) {
    return {.capture_mode = mode, .thread = thread, .function = "call"};
  }

  StreamHandle stream(int device = 0) {
    return machine_.create_stream(on_device(device), {.non_blocking = true}).handle;
  }
  StreamHandle blocking_stream() { return machine_.create_stream(me_, {}).handle; }
  EventHandle event() { return machine_.create_event(me_, {}).handle; }

  char* device_bytes(std::uint64_t bytes, int device = 0) {
    return static_cast<char*>(machine_.allocate(on_device(device), bytes).address);
  }
  char* pinned_bytes(std::uint64_t bytes) { return static_cast<char*>(machine_.allocate_host(me_, bytes).address); }

  /// A kernel that takes `cost_ns` and writes a letter when it ends.
  Outcome kernel(StreamHandle handle, std::int64_t cost_ns, char letter = '.') {
    return machine_.submit(me_, handle,
                           {.name = "kernel", .cost_ns = cost_ns, .effect = [this, letter] { written_ += letter; }});
  }
  Outcome copy(void* to, const void* from, std::uint64_t bytes, StreamHandle handle) {
    return machine_.copy(me_, {.to = to, .from = from, .bytes = bytes, .stream = handle});
  }
  Outcome synchronize(StreamHandle handle) { return machine_.synchronize_stream(me_, handle); }
  std::int64_t now_ns() { return machine_.clock().now_ns(); }

  const Caller me_ = in_thread(1);
  CallLog log_{""};
  EmulatedMachine machine_;
  std::string written_;  ///< by kernels, in the order in which they ended
};

}  // namespace stepgate::emulator
