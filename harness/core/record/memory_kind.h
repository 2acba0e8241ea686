// What a block of tensor memory is used for: the rows of the memory ledger.
#pragma once

#include <array>
#include <string_view>

namespace stepgate {

/// In the order in which a ledger lists them. How a block gets its kind: measure/memory/memory_kinds.h.
enum class MemoryKind {
  parameters,
  gradients,
  optimizer_state,
  inputs,
  activations,
  temporaries,
  workspace,
  setup,
  rounding,  ///< not a block: the bytes that the allocator hands out beyond the requested ones
};

inline constexpr std::array<std::string_view, 9> memory_kind_names = {"parameters", "gradients",   "optimizer_state",
                                                                      "inputs",     "activations", "temporaries",
                                                                      "workspace",  "setup",       "rounding"};

constexpr std::string_view name_of(MemoryKind kind) { return memory_kind_names[static_cast<std::size_t>(kind)]; }

}  // namespace stepgate
