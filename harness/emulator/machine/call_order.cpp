#include "emulator/machine/call_order.h"

#include "emulator/machine/work_names.h"

namespace stepgate::emulator {
namespace {

constexpr std::string_view before_operator = " by ";

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

/// Takes the first line off a text; absent where the text is empty.
std::optional<std::string_view> next_line(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace

void CallOrder::planned(const PlannedOperation& planned) { write(text_of_work(planned)); }

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

void CallOrder::write(const std::string& line) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string caller = operators_.calling();
  file_ << line;
  if (!caller.empty()) file_ << before_operator << caller;
  file_ << '\n' << std::flush;  // a process may end without closing its files
}

std::optional<OrderDifference> first_difference(std::string_view one, std::string_view other) {
  for (std::size_t line = 1;; ++line) {
    const std::optional<std::string_view> of_one = next_line(one);
    const std::optional<std::string_view> of_other = next_line(other);
    if (!of_one && !of_other) return std::nullopt;
    if (of_one == of_other) continue;
    return OrderDifference{line, std::string(of_one.value_or("")), std::string(of_other.value_or(""))};
  }
}

std::string operator_of_line(std::string_view line) {
  const std::size_t at = line.rfind(before_operator);
  return at == std::string_view::npos ? std::string() : std::string(line.substr(at + before_operator.size()));
}

}  // namespace stepgate::emulator
