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
};

KernelRegistry& registry() {
  static KernelRegistry& made = *new KernelRegistry;
  return made;
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

std::optional<RegisteredKernel> kernel_of(const void* host_function) {
  const std::shared_lock<std::shared_mutex> lock(registry().mutex);
  const auto found = registry().kernels.find(host_function);
  return found == registry().kernels.end() ? std::nullopt : std::optional<RegisteredKernel>(found->second);
}

}  // namespace stepgate::emulator
