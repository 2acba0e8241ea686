#include "emulator/runtime/kernel_registry.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace stepgate::emulator {
namespace {

/// Never freed: libraries register from their initialisers, and launch from destructors of static variables.
struct KernelRegistry {
  std::shared_mutex mutex;
  std::unordered_set<std::string> texts;  ///< its elements never move
  std::unordered_map<const void*, RegisteredKernel> kernels;
  std::unordered_map<const void*, RegisteredVariable> variables;
};

KernelRegistry& registry() {
  static KernelRegistry& made = *new KernelRegistry;
  return made;
}

template <typename Registered>
std::optional<Registered> found_in(const std::unordered_map<const void*, Registered>& all, const void* address) {
  const std::shared_lock<std::shared_mutex> lock(registry().mutex);
  const auto found = all.find(address);
  return found == all.end() ? std::nullopt : std::optional<Registered>(found->second);
}

}  // namespace

std::string_view interned(std::string text) {
  const std::unique_lock<std::shared_mutex> lock(registry().mutex);
  return *registry().texts.insert(std::move(text)).first;
}

// A library that was closed leaves its kernels here. Another one that is loaded at the same place takes theirs over.
void add_kernel(const void* host_function, std::string name) {
  const std::string_view kept = interned(std::move(name));
  const std::unique_lock<std::shared_mutex> lock(registry().mutex);
  registry().kernels[host_function] = {kept};
}

void add_variable(const void* host_variable, std::string name, std::uint64_t bytes) {
  const std::string_view kept = interned(std::move(name));
  const std::unique_lock<std::shared_mutex> lock(registry().mutex);
  registry().variables[host_variable] = {kept, bytes};
}

std::optional<RegisteredKernel> kernel_of(const void* host_function) {
  return found_in(registry().kernels, host_function);
}

std::optional<RegisteredVariable> variable_of(const void* host_variable) {
  return found_in(registry().variables, host_variable);
}

}  // namespace stepgate::emulator
