#include "emulator/hazards/access_shadow.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace stepgate::emulator {
namespace {

bool meet(const AccessRecord& one, const AccessRecord& other) {
  return (one.writes || other.writes) && !(one.has_gaps && other.has_gaps);
}

}  // namespace

AddressStretch stretch_of(const void* begin, std::uint64_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  return {address, address + bytes};
}

/// The first cell that ends behind the address.
AccessShadow::Cells::const_iterator AccessShadow::first_at(std::uintptr_t address) const {
  const auto next = cells_.upper_bound(address);
  if (next == cells_.begin()) return next;
  const auto before = std::prev(next);
  return before->second.end > address ? before : next;
}

std::vector<AccessPointer> AccessShadow::met_by(const AddressStretch& stretch, const AccessRecord& access) const {
  std::vector<AccessPointer> met;
  if (stretch.begin >= stretch.end) return met;
  std::unordered_set<const AccessRecord*> known;  // one access may be in many cells, and one stretch may meet many
  for (auto cell = first_at(stretch.begin); cell != cells_.end() && cell->first < stretch.end; ++cell) {
    for (const AccessPointer& earlier : cell->second.accesses) {
      if (meet(*earlier, access) && known.insert(earlier.get()).second) met.push_back(earlier);
    }
  }
  return met;
}

/// Afterwards no cell goes across the address.
void AccessShadow::split(std::uintptr_t address) {
  const auto next = cells_.lower_bound(address);
  if (next == cells_.begin()) return;
  const auto cell = std::prev(next);
  if (cell->second.end <= address) return;
  cells_.emplace_hint(next, address, Cell{cell->second.end, cell->second.accesses});
  cell->second.end = address;
}

void AccessShadow::forget(const AddressStretch& stretch) {
  if (stretch.begin >= stretch.end) return;
  split(stretch.begin);
  split(stretch.end);
  cells_.erase(cells_.lower_bound(stretch.begin), cells_.lower_bound(stretch.end));
}

void AccessShadow::add(const AddressStretch& stretch, const AccessPointer& access) {
  if (stretch.begin >= stretch.end) return;
  if (access->writes && !access->has_gaps) {  // what comes after this write comes after all that it came after
    forget(stretch);
    cells_.emplace(stretch.begin, Cell{stretch.end, {access}});
    return;
  }
  split(stretch.begin);
  split(stretch.end);
  std::uintptr_t at = stretch.begin;
  for (auto cell = cells_.lower_bound(stretch.begin); cell != cells_.end() && cell->first < stretch.end; ++cell) {
    if (cell->first > at) cells_.emplace_hint(cell, at, Cell{cell->first, {access}});
    add_to(cell->second, access);
    at = cell->second.end;
  }
  if (at < stretch.end) cells_.emplace(at, Cell{stretch.end, {access}});
}

/// A later access of a timeline stands for an equal one before it.
void AccessShadow::add_to(Cell& cell, const AccessPointer& access) {
  std::erase_if(cell.accesses, [&access](const AccessPointer& earlier) {
    return earlier->moment.timeline == access->moment.timeline && earlier->writes == access->writes &&
           earlier->has_gaps == access->has_gaps;
  });
  cell.accesses.push_back(access);
}

void AccessShadow::forget_before(const VectorClock& before) {
  for (auto cell = cells_.begin(); cell != cells_.end();) {
    std::erase_if(cell->second.accesses,
                  [&before](const AccessPointer& access) { return before.covers(access->moment); });
    cell = cell->second.accesses.empty() ? cells_.erase(cell) : std::next(cell);
  }
}

}  // namespace stepgate::emulator
