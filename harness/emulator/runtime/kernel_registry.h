// The kernels and variables that LibTorch's libraries register when they are loaded, and names that live for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate::emulator {

struct RegisteredKernel {
  std::string_view name;  ///< mangled, as registered
};

struct RegisteredVariable {
  std::string_view name;
  std::uint64_t bytes = 0;
};

/// The same text, in memory that is never freed. Equal texts are stored once.
std::string_view interned(std::string text);

void add_kernel(const void* host_function, std::string name);
void add_variable(const void* host_variable, std::string name, std::uint64_t bytes);
/// Absent for a function that no library registered.
std::optional<RegisteredKernel> kernel_of(const void* host_function);
std::optional<RegisteredVariable> variable_of(const void* host_variable);

}  // namespace stepgate::emulator
