#include "measure/device/work/operators/noted_launches.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include "core/kernels/launch_name.h"
#include "measure/device/work/operators/operands_text.h"

namespace stepgate {
namespace {

/// Without this prefix a name like "f" would be read as a mangled type.
constexpr std::string_view mangled_prefix = "_Z";

std::string demangled_kernel(const std::string& name) {
  if (!name.starts_with(mangled_prefix)) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return text == nullptr ? name : std::string(text.get());
}

}  // namespace

const KernelKind& NotedLaunches::kind_of(std::string_view kernel) {
  if (const auto known = kinds_.find(kernel); known != kinds_.end()) return known->second;
  const std::string name(kernel);
  return kinds_.emplace(name, kind_of_kernel(demangled_kernel(name))).first->second;
}

void NotedLaunches::note(std::string_view kernel, const LaunchingCall& call) {
  if (kernel.empty()) {
    ++totals_.unnamed_kernels;
    return;
  }
  const KernelKind& kind = kind_of(kernel);
  if (kind.origin == KernelOrigin::own) {
    ++totals_.own_kernels[own_kernel_name(kind.family, call.op)];
  } else if (!std::exchange(call.called_library, true)) {
    ++totals_.library_calls[library_call_name(call.op,
                                              call.operands == nullptr ? kind.family : operands_text(*call.operands))];
  }
}

void NotedLaunches::note(std::string_view kernel) {
  bool called_library = false;
  note(kernel, {.op = outside_operators, .called_library = called_library});
}

}  // namespace stepgate
