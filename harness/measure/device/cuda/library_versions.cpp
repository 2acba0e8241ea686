#include "measure/device/cuda/library_versions.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <optional>
#include <string>

namespace stepgate {
namespace {

using Version = std::optional<std::string>;

/// cublasGetProperty() and cublasLtGetProperty(): one part of the version for each call, 0 for success.
Version of_properties(void* function) {
  const auto get = reinterpret_cast<int (*)(int part, int* value)>(function);
  int parts[3] = {};
  for (int part = 0; part < 3; ++part) {
    if (get(part, &parts[part]) != 0) return std::nullopt;
  }
  return fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
}

/// ncclGetVersion(): 22703 for 2.27.3.
Version of_number(void* function) {
  const auto get = reinterpret_cast<int (*)(int* value)>(function);
  int number = 0;
  if (get(&number) != 0) return std::nullopt;
  return fmt::format("{}.{}.{}", number / 10000, number % 10000 / 100, number % 100);
}

struct LibraryRow {
  const char* fact;
  const char* function;
  Version (*version)(void* function);
};

constexpr LibraryRow libraries[] = {{"cublas", "cublasGetProperty", of_properties},
                                    {"cublaslt", "cublasLtGetProperty", of_properties},
                                    {"nccl", "ncclGetVersion", of_number}};

}  // namespace

Fingerprint library_versions(const FunctionFinder& find) {
  Fingerprint versions;
  for (const LibraryRow& library : libraries) {
    void* const function = find(library.function);
    if (function == nullptr) continue;
    if (const Version version = library.version(function)) versions.emplace(library.fact, *version);
  }
  return versions;
}

Fingerprint loaded_library_versions() {
  return library_versions([](const char* name) { return ::dlsym(RTLD_DEFAULT, name); });
}

}  // namespace stepgate
