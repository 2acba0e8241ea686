// NVIDIA's management library while it is open and initialised, with its errors as codes and texts.
#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "environment/gpu/gpu_driver.h"
#include "environment/gpu/nvml_table.h"

namespace stepgate::nvml {

/// From dlopen, closed by dlclose; nullptr where there is no such library.
using LibraryHandle = std::unique_ptr<void, int (*)(void*)>;

/// The library's error as GpuOutcome codes it.
int errno_of(int result);

/// No value, for the reason of `outcome`.
template <typename T>
GpuAnswer<T> refused(const GpuOutcome& outcome) {
  return {std::nullopt, outcome.code, outcome.reason};
}

class Session {
 public:
  explicit Session(LibraryHandle library) : library_(std::move(library)), table_(library_.get()) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    if (started_) static_cast<void>(table_.shutdown.call());
  }

  const Table& table() const { return table_; }

  /// nvmlInit_v2, answered by nvmlShutdown at the end. ENOTSUP where the library lacks either.
  GpuOutcome start();

  GpuOutcome outcome_of(const char* function, int result) const;

  /// Calls a function, or answers ENOTSUP where the library has none of that name.
  template <typename Function, typename... Arguments>
  GpuOutcome call(const Symbol<Function>& symbol, Arguments... arguments) const {
    if (symbol.call == nullptr) return missing(symbol.name);
    return outcome_of(symbol.name, symbol.call(arguments...));
  }

  /// The same with the GPU as first argument. It is looked up each time: the library takes handles back, as when
  /// persistence is switched off on a machine where the GPU's memory is a NUMA node.
  template <typename Function, typename... Arguments>
  GpuOutcome on_gpu(const std::string& uuid, const Symbol<Function>& symbol, Arguments... arguments) const {
    Device* device = nullptr;
    GpuOutcome found = call(table_.by_uuid, uuid.c_str(), &device);
    if (found.code == EINVAL) found.code = ENODEV;  // no GPU has such an identifier
    if (found.code != 0) return found;
    return call(symbol, device, arguments...);
  }

  /// The same of a function whose last argument receives a `Number`.
  template <typename Number, typename Function, typename... Arguments>
  GpuAnswer<std::int64_t> number(const std::string& uuid, const Symbol<Function>& symbol,
                                 Arguments... arguments) const {
    Number value{};
    const GpuOutcome outcome = on_gpu(uuid, symbol, arguments..., &value);
    if (outcome.code != 0) return refused<std::int64_t>(outcome);
    return {static_cast<std::int64_t>(value), 0, ""};
  }

 private:
  static GpuOutcome missing(const char* function);

  LibraryHandle library_;
  Table table_;  // after the library that it looks into
  bool started_ = false;
};

}  // namespace stepgate::nvml
