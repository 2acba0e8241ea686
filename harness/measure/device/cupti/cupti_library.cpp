#include "measure/device/cupti/cupti_library.h"

#include <fmt/format.h>

namespace stepgate::cupti {
namespace {

/// What a reader can do about it; "" where nothing more is known.
std::string_view meaning_of(int result) {
  switch (result) {
    case multiple_subscribers_not_supported:
      return "another tool holds CUPTI in this process: a profiler such as nsys, CUDA_INJECTION64_PATH, or LibTorch's "
             "own";
    case insufficient_privileges:
    case virtualized_insufficient_privileges:
      return "the driver lets only administrators profile (NVreg_RestrictProfilingToAdminUsers)";
    case not_initialized:
    case unknown_error:
      return "the driver could not be initialised";
    default:
      return "";
  }
}

OpenedLibrary checked(void* handle) {
  auto library = std::make_shared<const Library>(handle);
  std::uint32_t version = 0;
  if (std::string refused = library->call(library->table().version, &version); !refused.empty()) return refused;
  if (version >= least_version) return library;
  return fmt::format("CUPTI's version {} is older than CUDA 12.0's ({})", version, least_version);
}

}  // namespace

std::string Library::missing(const char* function) { return fmt::format("this CUPTI has no {}", function); }

std::string Library::outcome_of(const char* function, int result) const {
  if (result == success) return "";
  const char* text = nullptr;
  if (table_.result_text.call != nullptr && table_.result_text.call(result, &text) != success) text = nullptr;
  const std::string_view meaning = meaning_of(result);
  return fmt::format("{}: {}{}{}", function, text == nullptr ? fmt::format("error {}", result) : text,
                     meaning.empty() ? "" : ": ", meaning);
}

OpenedLibrary open_library() {
  for (const int flags : {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW}) {
    for (const char* name : library_names) {
      if (void* handle = ::dlopen(name, flags)) return checked(handle);
    }
  }
  return fmt::format("CUPTI was not found ({}, {}): it comes with LibTorch's CUDA build and with the CUDA toolkit",
                     library_names[0], library_names[1]);
}

OpenedLibrary open_library(const std::string& path) {
  if (void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return checked(handle);
  return fmt::format("CUPTI was not found: {}", path);
}

}  // namespace stepgate::cupti
