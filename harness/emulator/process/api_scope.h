// One call of a program into a shim, from entry to exit.
#pragma once

#include <cstdint>

#include "emulator/machine/emulated_machine.h"
#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// Gives the call a correlation number of its own and tells the observers of entry and exit. Calls may nest: a
/// library's kernel is a call of the runtime within a call of the library.
class ApiScope {
 public:
  /// `id`: CUPTI's number of the function, 0 for a function without callbacks: observers are not told of it. `name` is
  /// the public name ("cudaMemcpyAsync") and outlives the process. `parameters`: CUPTI's structure of them, or nullptr.
  ApiScope(ApiDomain domain, unsigned id, const char* name, const void* parameters = nullptr);
  /// Of a launch.
  ApiScope(ApiDomain domain, unsigned id, const char* name, const LaunchedKernel& kernel);
  ~ApiScope();
  ApiScope(const ApiScope&) = delete;
  ApiScope& operator=(const ApiScope&) = delete;

  /// For the machine: this thread's device and capture mode, and the number and name of this call.
  const Caller& caller() const { return caller_; }
  /// The number that the function returns, for the observers at the exit.
  void set_outcome(int outcome) { call_.outcome = outcome; }

 private:
  explicit ApiScope(const ApiCall& call);

  ApiCall call_;
  Caller caller_;
  std::uint64_t correlation_data_ = 0;
};

}  // namespace stepgate::emulator
