// What is known about the waiting of an operator before it is called.
#pragma once

namespace stepgate {

/// What an operator's schema says about waiting.
enum class WaitRule {
  never,
  always,        ///< the host needs a value of a tensor: its result, or the size of its result, depends on it
  unless_sized,  ///< as always, unless an argument gives the size
  moves,         ///< aten::to: a call of .cpu(), or printing
  copies         ///< aten::copy_: from a GPU to the host
};

/// True where the rule has decided about all that the operator calls, whether it waits or not.
constexpr bool decides_for_parts(WaitRule rule) { return rule == WaitRule::always || rule == WaitRule::unless_sized; }

}  // namespace stepgate
