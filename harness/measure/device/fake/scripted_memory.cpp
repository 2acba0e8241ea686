#include "measure/device/fake/scripted_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace stepgate {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

std::string_view name_of(Actor actor) {
  return actor == Actor::host ? "the host" : actor == Actor::compute ? "the compute stream" : "the copy stream";
}

std::string text_of(const Access& access) {
  return fmt::format("\"{} slot {}, tensor {}\" on {}", access.site.what, access.site.slot, access.site.tensor,
                     name_of(access.actor));
}

}  // namespace

DeviceMemory ScriptedMemory::allocate(std::int64_t bytes, Stream stream) {
  Region* region = take(free_on_stream_[static_cast<std::size_t>(stream)], bytes, no_limit);
  if (region == nullptr) {
    region = &add_region(bytes);
    region->stream = stream;
    reserved_bytes_ += bytes;
    ++device_mallocs_;
  }
  auto memory = shared_from_this();
  return {new DeviceBlock{reinterpret_cast<void*>(region->address), bytes}, [memory, region](const DeviceBlock* block) {
            memory->put_back(*region, memory->free_on_stream_[static_cast<std::size_t>(region->stream)]);
            delete block;
          }};
}

void ScriptedMemory::record_stream(const DeviceBlock& block, Stream stream) {
  Region& region = region_at(block.address);
  if (stream != region.stream) region.used_on[static_cast<std::size_t>(stream)] = true;
}

HostBuffer ScriptedMemory::allocate_host(std::int64_t bytes, HostOrigin origin) {
  Region* region = nullptr;
  const auto rounded = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes)));
  if (origin == HostOrigin::pool) {
    region = take(free_pinned_, rounded, rounded);
    if (region == nullptr) ++pinned_mallocs_;
  }
  if (region == nullptr) region = &add_region(rounded);
  region->origin = origin;
  const HostMemory kind = origin == HostOrigin::pageable ? HostMemory::pageable : HostMemory::pinned;
  auto memory = shared_from_this();
  return {new HostBytes{reinterpret_cast<void*>(region->address), bytes, kind,
                        origin == HostOrigin::pool ? reinterpret_cast<void*>(region->address) : nullptr},
          [memory, region](const HostBytes* freed) {
            memory->put_back_host(*region);
            delete freed;
          }};
}

bool ScriptedMemory::note_copy(const HostBytes& bytes, Stream stream) {
  if (bytes.context == nullptr) return false;
  region_at(bytes.context).used_on[static_cast<std::size_t>(stream)] = true;
  return true;
}

void ScriptedMemory::release_cached() {
  for (std::vector<Region*>& free : free_on_stream_) {
    for (const Region* region : free) reserved_bytes_ -= region->bytes;
    free.clear();
  }
}

void ScriptedMemory::read(const void* address, const Access& access) {
  throw_kept_hazard();
  const auto earlier = region_at(address).log.read(access, timeline_->clock(access.actor));
  if (earlier) throw Hazard(hazard_text(access, *earlier));
}

void ScriptedMemory::write(const void* address, const Access& access) {
  throw_kept_hazard();
  const auto earlier = region_at(address).log.write(access, timeline_->clock(access.actor));
  if (earlier) throw Hazard(hazard_text(access, *earlier));
}

void ScriptedMemory::throw_kept_hazard() const {
  if (!kept_hazard_.empty()) throw Hazard(kept_hazard_);
}

ScriptedMemory::Region& ScriptedMemory::add_region(std::int64_t bytes) {
  constexpr std::uintptr_t alignment = 512;
  Region& region = regions_.emplace_back();
  region.address = next_address_;
  region.bytes = bytes;
  next_address_ += (static_cast<std::uintptr_t>(bytes) / alignment + 1) * alignment;
  return region;
}

ScriptedMemory::Region& ScriptedMemory::region_at(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto after =
      std::upper_bound(regions_.begin(), regions_.end(), at,
                       [](std::uintptr_t wanted, const Region& region) { return wanted < region.address; });
  if (after == regions_.begin()) {
    throw Error(ErrorKind::measure, fmt::format("no block lies at address {}", at), "use addresses of this device");
  }
  return *std::prev(after);
}

bool ScriptedMemory::is_reusable(Region& region) {
  std::erase_if(region.pending, [&](const StreamMoment& moment) { return timeline_->is_past(moment); });
  return region.pending.empty();
}

ScriptedMemory::Region* ScriptedMemory::take(std::vector<Region*>& free, std::int64_t bytes, std::int64_t most_bytes) {
  auto best = free.end();
  for (auto at = free.begin(); at != free.end(); ++at) {
    if ((*at)->bytes < bytes || (*at)->bytes > most_bytes || !is_reusable(**at)) continue;
    if (best == free.end() || (*at)->bytes < (*best)->bytes) best = at;
  }
  if (best == free.end()) return nullptr;
  Region* region = *best;
  free.erase(best);
  return region;
}

void ScriptedMemory::put_back(Region& region, std::vector<Region*>& free) {
  for (const Stream stream : {Stream::compute, Stream::copy}) {
    if (std::exchange(region.used_on[static_cast<std::size_t>(stream)], false)) {
      region.pending.push_back(timeline_->moment(stream));
    }
  }
  free.push_back(&region);
}

void ScriptedMemory::put_back_host(Region& region) {
  if (region.origin == HostOrigin::pool) return put_back(region, free_pinned_);
  const Access freed = timeline_->run_on_host({"host: free of memory that no pool follows", 0, 0});
  const auto earlier = region.log.unordered(timeline_->clock(Actor::host));
  if (earlier && kept_hazard_.empty()) kept_hazard_ = hazard_text(freed, *earlier);
}

std::string ScriptedMemory::hazard_text(const Access& later, const Access& earlier) const {
  return fmt::format("hazard: {} is not ordered behind {}", text_of(later), text_of(earlier));
}

}  // namespace stepgate
