// The calls that the observer saw, sorted by place: what it keeps between a call's begin and the end of the pass.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/record/observed_work.h"
#include "measure/device/work/operators/flop_formulas.h"
#include "measure/device/work/operators/operator_traits.h"

namespace stepgate {

inline constexpr std::int32_t no_place = -1;

void mix_into(std::uint64_t& hash, std::uint64_t value);

/// Which forward operator was running when an autograd node was made. Nodes of one thread have rising numbers.
class ForwardPlaces {
 public:
  void set(std::int64_t sequence_number, std::int32_t place);
  std::int32_t at(std::int64_t sequence_number) const;  ///< no_place if unknown

 private:
  std::int64_t first_ = -1;
  std::vector<std::int32_t> places_;
};

/// Which operator made a tensor, by the address of its TensorImpl. It forgets tensors when others fall into their slot,
/// so that it never grows.
class TensorMakers {
 public:
  void set(const void* tensor, const OperatorTraits* op) { slots_[slot_of(tensor)] = {tensor, op}; }
  const OperatorTraits* of(const void* tensor) const {
    const Slot& slot = slots_[slot_of(tensor)];
    return slot.tensor == tensor ? slot.op : nullptr;
  }

 private:
  struct Slot {
    const void* tensor = nullptr;
    const OperatorTraits* op = nullptr;
  };
  static constexpr std::size_t slot_count = 1 << 14;
  static std::size_t slot_of(const void* tensor) {
    return (reinterpret_cast<std::uintptr_t>(tensor) * 0x9e3779b97f4a7c15u >> 32) % slot_count;
  }
  std::vector<Slot> slots_ = std::vector<Slot>(slot_count);
};

/// Everything that tells two sites apart except results, which are known at the end of a call.
struct CallKind {
  const OperatorTraits* op = nullptr;
  const OperatorTraits* parent = nullptr;
  std::int32_t boundary = 0;
  std::int32_t place = no_place;
  bool for_forward = false;
  std::uint64_t inputs = 0;                         ///< hash
  std::vector<const OperatorTraits*> callers = {};  ///< for a copy: the operators in which it runs, outermost first
};

/// What one call adds to its site.
struct CallWork {
  bool is_leaf = false;
  bool flops_known = false;
  std::int64_t flops = 0;
  std::int64_t misaligned_flops = 0;
  std::int64_t bytes = 0;
  std::int64_t copied_bytes = 0;
  std::int64_t allocated_bytes = 0;
  std::int64_t saved_bytes = 0;
  std::int64_t self_ns = 0;
  std::int64_t total_ns = 0;
};

class CallSites {
 public:
  /// Sites of one kind, by their results.
  struct Entry {
    CallKind kind;
    std::vector<std::pair<std::uint64_t, std::size_t>> sites;  ///< hash of results -> site
  };

  /// The number of a stack; the same offsets give the same number.
  std::int32_t place_of(const std::vector<std::uint64_t>& offsets);
  std::int32_t boundary_of(std::string_view name);
  /// Stays valid until this is destroyed.
  Entry& entry(const CallKind& kind);
  /// The site of these results; absent if there is none yet.
  static std::optional<std::size_t> site_of(const Entry& entry, std::uint64_t outputs_hash);
  /// `first` describes a call. If it has no inputs, those of the entry's first call stand for them.
  std::size_t new_site(Entry& entry, std::uint64_t outputs_hash, OperatorCall first);
  void add(std::size_t site, const CallWork& work);
  /// Moves out places and sites.
  ObservedWork take();

 private:
  std::unordered_map<std::uint64_t, std::int32_t> place_numbers_;
  std::vector<std::string> boundaries_;
  std::unordered_map<std::uint64_t, Entry> entries_;
  ObservedWork work_;
};

}  // namespace stepgate
