// What was last read and written where, of the memory of devices and page-locked memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "emulator/hazards/access_record.h"

namespace stepgate::emulator {

/// [begin, end) as numbers.
struct AddressStretch {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

AddressStretch stretch_of(const void* begin, std::uint64_t bytes);

/// For each stretch: the last write, and of each timeline the last read since then. Calls come one at a time.
class AccessShadow {
 public:
  /// Accesses that a new one meets: all where it writes, else those that write. Two with gaps do not meet.
  std::vector<AccessPointer> met_by(const AddressStretch& stretch, const AccessRecord& access) const;
  void add(const AddressStretch& stretch, const AccessPointer& access);
  void forget(const AddressStretch& stretch);
  /// Forgets what is over for `before`, which all later work comes after.
  void forget_before(const VectorClock& before);
  /// Stretches that are kept.
  std::size_t size() const { return cells_.size(); }

 private:
  struct Cell {
    std::uintptr_t end = 0;
    std::vector<AccessPointer> accesses;
  };
  using Cells = std::map<std::uintptr_t, Cell>;

  Cells::const_iterator first_at(std::uintptr_t address) const;
  void split(std::uintptr_t address);
  void add_to(Cell& cell, const AccessPointer& access);

  Cells cells_;  ///< by begin; they do not overlap
};

}  // namespace stepgate::emulator
