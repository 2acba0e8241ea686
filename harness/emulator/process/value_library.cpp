#include "emulator/process/value_library.h"

#include <dlfcn.h>

#include <atomic>

namespace stepgate::emulator {
namespace {

constexpr const char* library_file = "libstepgate_emulated_values.so";

using Watcher = void (*)();

std::atomic<Watcher>& call_watcher() {
  static std::atomic<Watcher> watcher{nullptr};
  return watcher;
}

}  // namespace

std::string open_value_library(const std::string& folder) {
  const std::string path = folder + library_file;
  if (::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return "";
  const char* error = ::dlerror();
  return "mode=values and hazards= need " + path + ": " + (error == nullptr ? "it cannot be opened" : error) +
         ". Build the target emulated_gpu_values";
}

void watch_calls(void (*call)()) { call_watcher().store(call); }

void tell_value_library() {
  if (const Watcher watcher = call_watcher().load(std::memory_order_relaxed)) watcher();
}

}  // namespace stepgate::emulator
