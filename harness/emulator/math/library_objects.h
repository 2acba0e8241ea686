// The objects that one math library gives out: handles, descriptors, parameters.
#pragma once

#include <utility>

#include "emulator/math/math_handle.h"

namespace stepgate::emulator {

/// `Status`: the numbers of the library, of which two are a success and a wrong argument. Libraries have types of their
/// own for them, so a handle of one is none of another.
template <typename Status, Status success, Status wrong_argument>
struct LibraryObjects {
  /// It lives until the process ends: LibTorch destroys what is on it in destructors of its own.
  template <typename State>
  static MathShelf<State>& shelf() {
    static auto* const states = new MathShelf<State>;
    return *states;
  }

  template <typename Handle, typename State>
  static Status make(Handle* handle, State state) {
    if (handle == nullptr) return wrong_argument;
    *handle = shelf<State>().template add_as<Handle>(std::move(state));
    return success;
  }

  /// `otherwise`: for a handle that is not, or no longer, in use.
  template <typename State>
  static Status destroy(const void* handle, Status otherwise = wrong_argument) {
    return shelf<State>().remove(handle) ? success : otherwise;
  }

  /// Calls apply(state).
  template <typename State, typename Change>
  static Status change(const void* handle, Change apply, Status otherwise = wrong_argument) {
    State* state = shelf<State>().find(handle);
    if (state == nullptr) return otherwise;
    apply(*state);
    return success;
  }
};

}  // namespace stepgate::emulator
