// The numbers that a profiler gives the regions of its own that a thread is in.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace stepgate::emulator {

/// Of one thread. Each kind has a stack of its own, and only its top belongs to a call.
class ExternalIds {
 public:
  void push(int kind, std::uint64_t id) { stacks_[kind].push_back(id); }

  /// The number that the region had; absent where the thread is in none of the kind.
  std::optional<std::uint64_t> pop(int kind) {
    const auto stack = stacks_.find(kind);
    if (stack == stacks_.end()) return std::nullopt;
    const std::uint64_t id = stack->second.back();
    stack->second.pop_back();
    if (stack->second.empty()) stacks_.erase(stack);
    return id;
  }

  /// Calls `visit(kind, id)` for the top of each stack, in the order of the kinds.
  template <typename Visit>
  void for_each_top(Visit visit) const {
    for (const auto& [kind, stack] : stacks_) visit(kind, stack.back());
  }

 private:
  std::map<int, std::vector<std::uint64_t>> stacks_;  ///< none is empty
};

/// Of the calling thread, also while it ends.
ExternalIds& external_ids_of_thread();

}  // namespace stepgate::emulator
