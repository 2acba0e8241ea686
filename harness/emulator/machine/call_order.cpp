#include "emulator/machine/call_order.h"

#include <sstream>

#include "emulator/machine/program_offsets.h"
#include "emulator/machine/work_names.h"

namespace stepgate::emulator {
namespace {

std::string text_of_extent(const Extent& extent) {
  return std::to_string(extent.x) + "," + std::to_string(extent.y) + "," + std::to_string(extent.z);
}

std::string text_of_work(const PlannedOperation& planned) {
  const Operation& operation = planned.operation;
  std::string text(name_of_operation(operation.kind));
  text += " device " + std::to_string(planned.device) + " stream " + std::to_string(planned.stream_number);
  if (operation.kind == OperationKind::copy) {
    text += " " + std::string(name_of_copy(operation.direction, operation.pageable));
  } else if (!operation.name.empty()) {
    text += " " + std::string(operation.name);
  }
  if (operation.kind == OperationKind::kernel) {
    text += " grid " + text_of_extent(operation.grid) + " block " + text_of_extent(operation.block);
  }
  if (operation.bytes > 0) text += " bytes " + std::to_string(operation.bytes);
  return text;
}

/// " at 1a2b30,1a2c10"; "" where no call of the program's own file is on the stack, as on a thread of LibTorch's.
std::string text_of_place() {
  std::ostringstream text;
  text << std::hex;
  for (const std::uint64_t offset : program_offsets()) text << (text.tellp() == 0 ? " at " : ",") << offset;
  return text.str();
}

bool reads_device(const Operation& operation) {
  return operation.kind == OperationKind::copy && operation.direction == CopyDirection::device_to_host;
}

}  // namespace

void CallOrder::planned(const PlannedOperation& planned) {
  write(text_of_work(planned), reads_device(planned.operation) ? text_of_place() : "");
}

void CallOrder::waited(const HostWait& wait) {
  write("wait " + std::string(name_of_wait(wait.kind)) + " " + wait.function);
}

void CallOrder::allocated(const MemoryCall& call) {
  write((call.is_free ? "free " : "allocation ") + std::string(name_of_memory(call.kind)) + " bytes " +
        std::to_string(call.bytes));
}

void CallOrder::launched_graph(GraphHandle /*graph*/, std::size_t nodes) {
  write("graph of " + std::to_string(nodes) + " nodes");
}

void CallOrder::write(const std::string& line, const std::string& place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (written_bytes_ > most_order_bytes) return;
  const std::string caller = operators_.calling();
  const std::size_t thread = threads_.try_emplace(std::this_thread::get_id(), threads_.size() + 1).first->second;
  std::string text = (thread == 1 ? "" : "thread " + std::to_string(thread) + " ") + line +
                     (caller.empty() ? "" : " by " + caller) + place + "\n";
  written_bytes_ += text.size();
  if (written_bytes_ > most_order_bytes) text = "order is cut here\n";
  file_ << text << std::flush;  // a process may end without closing its files
}

}  // namespace stepgate::emulator
