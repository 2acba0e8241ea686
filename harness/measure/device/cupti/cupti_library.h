// NVIDIA's tracing library CUPTI, opened at run time: stepgate builds and starts without it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "measure/device/cupti/cupti_table.h"

namespace stepgate::cupti {

/// Tried in this order, first among the libraries that the process has loaded already: a LibTorch with CUDA needs its
/// own CUPTI, so that this is the very library that its profiler would use. Then through the loader's usual paths,
/// LD_LIBRARY_PATH included.
inline constexpr std::array library_names = {"libcupti.so.13", "libcupti.so.12"};

class Library {
 public:
  explicit Library(void* open_library) : table_(open_library) {}
  const Table& table() const { return table_; }

  /// Calls a function of the table. "" where it succeeded, else why not, as text for a reader.
  template <typename Function, typename... Arguments>
  std::string call(const Symbol<Function>& symbol, Arguments... arguments) const {
    if (symbol.call == nullptr) return missing(symbol.name);
    return outcome_of(symbol.name, symbol.call(arguments...));
  }

 private:
  static std::string missing(const char* function);
  std::string outcome_of(const char* function, int result) const;

  Table table_;
};

/// The library, or why there is none: not found, or older than CUDA 12. It stays loaded until the process ends, because
/// CUPTI has threads and handlers of its own. `paths`: other files than library_names, for tests.
using OpenedLibrary = std::variant<std::shared_ptr<const Library>, std::string>;
OpenedLibrary open_library();
OpenedLibrary open_library(const std::string& path);

}  // namespace stepgate::cupti
