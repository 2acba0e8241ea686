#include "emulator/machine/call_log.h"

#include <utility>

#include "emulator/machine/json_quoted.h"
#include "emulator/machine/work_names.h"

namespace stepgate::emulator {
namespace {

std::string json_of_amount(const LoggedAmount& amount) {
  return "{\"count\": " + std::to_string(amount.count) + ", \"bytes\": " + std::to_string(amount.bytes) +
         ", \"not_moved\": " + std::to_string(amount.not_moved) + "}";
}

std::string json_of_count(std::uint64_t count) { return std::to_string(count); }

template <typename Value, typename Text>
std::string json_of_map(const std::map<std::string, Value>& map, Text text_of_value) {
  std::string text;
  for (const auto& [name, value] : map)
    text += (text.empty() ? "" : ", ") + json_quoted(name) + ": " + text_of_value(value);
  return "{" + text + "}";
}

void count_amount(LoggedAmount& amount, std::uint64_t bytes, bool moved) {
  ++amount.count;
  amount.bytes += bytes;
  if (!moved) ++amount.not_moved;
}

void count_operation(LogTotals& totals, const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kernel:
      ++(operation.is_library ? totals.library_kernels : totals.own_kernels)[std::string(operation.name)];
      return;
    case OperationKind::copy: {
      const std::string direction(name_of_copy(operation.direction, operation.pageable));
      return count_amount(totals.copies[direction], operation.bytes, operation.moved);
    }
    case OperationKind::memset:
      return count_amount(totals.memsets, operation.bytes, operation.moved);
    case OperationKind::collective:
      return count_amount(totals.collectives[std::string(operation.name)], operation.bytes, operation.moved);
    case OperationKind::host_function:
    case OperationKind::event_record:
    case OperationKind::event_wait:
    case OperationKind::empty:
    case OperationKind::child_graph:
    case OperationKind::effect_only:
      return;
  }
}

}  // namespace

std::string json_of(const LogTotals& totals, std::string_view mark) {
  return "{\"mark\": " + json_quoted(mark) + ", \"calls\": " + json_of_map(totals.calls, json_of_count) +
         ", \"own_kernels\": " + json_of_map(totals.own_kernels, json_of_count) +
         ", \"library_kernels\": " + json_of_map(totals.library_kernels, json_of_count) +
         ", \"copies\": " + json_of_map(totals.copies, json_of_amount) +
         ", \"memsets\": " + json_of_amount(totals.memsets) +
         ", \"collectives\": " + json_of_map(totals.collectives, json_of_amount) +
         ", \"waits\": " + json_of_map(totals.waits, json_of_count) +
         ", \"graph_launches\": " + std::to_string(totals.graph_launches) +
         ", \"graph_nodes\": " + std::to_string(totals.graph_nodes) +
         ", \"allocations\": " + json_of_map(totals.allocations, json_of_amount) +
         ", \"frees\": " + json_of_map(totals.frees, json_of_amount) + "}";
}

CallLog::CallLog(const std::string& path) {
  if (!path.empty()) file_.open(path);
}

void CallLog::left(const ApiCall& call) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++totals_.calls[call.name];
}

void CallLog::planned(const PlannedOperation& planned) {
  const std::lock_guard<std::mutex> lock(mutex_);
  count_operation(totals_, planned.operation);
}

void CallLog::waited(const HostWait& wait) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++totals_.waits[wait.function + (" " + std::string(name_of_wait(wait.kind)))];
}

void CallLog::allocated(const MemoryCall& call) {
  const std::lock_guard<std::mutex> lock(mutex_);
  count_amount((call.is_free ? totals_.frees : totals_.allocations)[std::string(name_of_memory(call.kind))], call.bytes,
               true);
}

void CallLog::launched_graph(GraphHandle /*graph*/, std::size_t nodes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++totals_.graph_launches;
  totals_.graph_nodes += nodes;
}

void CallLog::mark(std::string_view text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  write_stretch(text);
}

void CallLog::write_stretch(std::string_view text) {
  const LogTotals stretch = std::exchange(totals_, {});
  if (file_.is_open()) file_ << json_of(stretch, text) << std::endl;  // a process may end without closing its files
}

LogTotals CallLog::totals() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return totals_;
}

void CallLog::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  write_stretch("end");
  file_.close();
}

}  // namespace stepgate::emulator
