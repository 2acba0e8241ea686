// The runtime's pointers to streams, events, graphs and nodes: they are the machine's numbers.
#pragma once

#include <cstdint>

#include "emulator/runtime/runtime_call.h"
#include "emulator/work/operation.h"

namespace stepgate::emulator {

template <typename Pointer>
Handle handle_of(Pointer pointer) {
  return static_cast<Handle>(reinterpret_cast<std::uintptr_t>(pointer));
}

template <typename Pointer>
Pointer pointer_of(Handle handle) {
  return reinterpret_cast<Pointer>(static_cast<std::uintptr_t>(handle));
}

/// Ends a call that makes an object. `out` is not null, and is left alone where there is no object.
template <typename Pointer>
cudaError_t end_made(RuntimeCall& call, const Made& made, Pointer* out) {
  if (made.outcome == Outcome::ok) *out = pointer_of<Pointer>(made.handle);
  return call.end(made.outcome);
}

/// Ends a call that allocates. `out` is not null.
inline cudaError_t end_allocated(RuntimeCall& call, const Allocated& allocated, void** out) {
  if (allocated.outcome == Outcome::ok) *out = allocated.address;
  return call.end(allocated.outcome);
}

}  // namespace stepgate::emulator
