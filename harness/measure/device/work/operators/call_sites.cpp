#include "measure/device/work/operators/call_sites.h"

#include <algorithm>

namespace stepgate {

void mix_into(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 29;
}

void ForwardPlaces::set(std::int64_t sequence_number, std::int32_t place) {
  if (first_ < 0) first_ = sequence_number;
  if (sequence_number < first_) return;
  const auto index = static_cast<std::size_t>(sequence_number - first_);
  if (index >= places_.size()) places_.resize(index + 1, no_place);
  places_[index] = place;
}

std::int32_t ForwardPlaces::at(std::int64_t sequence_number) const {
  if (first_ < 0 || sequence_number < first_) return no_place;
  const auto index = static_cast<std::size_t>(sequence_number - first_);
  return index < places_.size() ? places_[index] : no_place;
}

std::int32_t CallSites::place_of(const std::vector<std::uint64_t>& offsets) {
  if (offsets.empty()) return no_place;
  std::uint64_t hash = offsets.size();
  for (const std::uint64_t offset : offsets) mix_into(hash, offset);
  // try_emplace() looks first; emplace() would allocate an entry in every call.
  const auto [at, is_new] = place_numbers_.try_emplace(hash, static_cast<std::int32_t>(work_.places.size()));
  if (is_new) work_.places.push_back({.offsets = offsets});
  return at->second;
}

std::int32_t CallSites::boundary_of(std::string_view name) {
  auto at = std::ranges::find(boundaries_, name);
  if (at == boundaries_.end()) at = boundaries_.insert(at, std::string(name));
  return static_cast<std::int32_t>(at - boundaries_.begin());
}

CallSites::Entry& CallSites::entry(const CallKind& kind) {
  std::uint64_t hash = kind.inputs;
  mix_into(hash, reinterpret_cast<std::uintptr_t>(kind.op));
  mix_into(hash, reinterpret_cast<std::uintptr_t>(kind.parent));
  mix_into(hash, static_cast<std::uint64_t>(kind.place) << 8 | static_cast<std::uint64_t>(kind.boundary) << 1 |
                     (kind.for_forward ? 1 : 0));
  for (const OperatorTraits* caller : kind.callers) mix_into(hash, reinterpret_cast<std::uintptr_t>(caller));
  const auto [at, is_new] = entries_.try_emplace(hash);
  if (is_new) at->second.kind = kind;
  return at->second;
}

std::optional<std::size_t> CallSites::site_of(const Entry& entry, std::uint64_t outputs_hash) {
  for (const auto& [outputs, site] : entry.sites) {
    if (outputs == outputs_hash) return site;
  }
  return std::nullopt;
}

std::size_t CallSites::new_site(Entry& entry, std::uint64_t outputs_hash, OperatorCall first) {
  const CallKind& kind = entry.kind;
  if (first.inputs.empty() && !entry.sites.empty()) {
    const OperatorSite& sibling = work_.sites[entry.sites.front().second];
    first.inputs = sibling.inputs;
    first.arguments = sibling.arguments;
  }
  OperatorSite site{.boundary = boundaries_[static_cast<std::size_t>(kind.boundary)],
                    .name = kind.op->name,
                    .parent = kind.parent == nullptr ? "" : kind.parent->name,
                    .for_forward = kind.for_forward,
                    .inputs = std::move(first.inputs),
                    .outputs = std::move(first.outputs),
                    .arguments = std::move(first.arguments),
                    .has_formula = true};
  for (const OperatorTraits* caller : kind.callers) site.callers.push_back(caller->name);
  if (kind.place != no_place) site.place = static_cast<std::size_t>(kind.place);
  entry.sites.emplace_back(outputs_hash, work_.sites.size());
  work_.sites.push_back(std::move(site));
  return work_.sites.size() - 1;
}

void CallSites::add(std::size_t index, const CallWork& work) {
  OperatorSite& site = work_.sites[index];
  ++site.calls;
  if (work.is_leaf) ++site.leaf_calls;
  if (work.is_leaf && !work.flops_known) site.has_formula = false;
  site.flops += work.flops;
  site.misaligned_flops += work.misaligned_flops;
  site.bytes += work.bytes;
  site.copied_bytes += work.copied_bytes;
  site.allocated_bytes += work.allocated_bytes;
  site.saved_bytes += work.saved_bytes;
  site.self_ns += work.self_ns;
  site.total_ns += work.total_ns;
}

ObservedWork CallSites::take() { return std::move(work_); }

}  // namespace stepgate
