// The kernels that LibTorch's libraries register when they are loaded, and names that live for ever.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stepgate::emulator {

struct RegisteredKernel {
  std::string_view name;  ///< mangled, as registered; interned
};

/// The same text, in memory that is never freed, with '\0' behind it. Equal texts are stored once.
std::string_view interned(std::string text);

void add_kernel(const void* host_function, std::string name);
/// Absent for a function that no library registered.
std::optional<RegisteredKernel> kernel_of(const void* host_function);

}  // namespace stepgate::emulator
