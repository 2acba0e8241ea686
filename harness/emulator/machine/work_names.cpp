#include "emulator/machine/work_names.h"

namespace stepgate::emulator {

std::string_view name_of_copy(CopyDirection direction, bool pageable) {
  switch (direction) {
    case CopyDirection::host_to_device:
      return pageable ? "host_to_device pageable" : "host_to_device";
    case CopyDirection::device_to_host:
      return pageable ? "device_to_host pageable" : "device_to_host";
    case CopyDirection::device_to_device:
      return "device_to_device";
    case CopyDirection::peer:
      return "peer";
    case CopyDirection::host_to_host:
      break;
  }
  return "host_to_host";
}

std::string_view name_of_wait(WaitKind kind) {
  switch (kind) {
    case WaitKind::stream:
      return "stream";
    case WaitKind::device:
      return "device";
    case WaitKind::event:
      return "event";
    case WaitKind::copy:
      return "copy";
    case WaitKind::free:
      break;
  }
  return "free";
}

std::string_view name_of_memory(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
      return "device";
    case MemoryKind::managed:
      return "managed";
    case MemoryKind::pinned:
      return "pinned";
    case MemoryKind::registered:
      return "registered";
    case MemoryKind::mapped:
      return "mapped";
    case MemoryKind::pooled:
      break;
  }
  return "pooled";
}

std::string_view name_of_operation(OperationKind kind) {
  switch (kind) {
    case OperationKind::kernel:
      return "kernel";
    case OperationKind::copy:
      return "copy";
    case OperationKind::memset:
      return "memset";
    case OperationKind::host_function:
      return "host_function";
    case OperationKind::collective:
      return "collective";
    case OperationKind::event_record:
      return "event_record";
    case OperationKind::event_wait:
      return "event_wait";
    case OperationKind::empty:
      return "empty";
    case OperationKind::child_graph:
      return "child_graph";
    case OperationKind::effect_only:
      break;
  }
  return "effect_only";
}

}  // namespace stepgate::emulator
