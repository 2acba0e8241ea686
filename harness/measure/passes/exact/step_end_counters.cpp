#include "measure/passes/exact/step_end_counters.h"

#include <dlfcn.h>
#include <malloc.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace stepgate {
namespace {

/// Over all arenas and all blocks that have a mapping of their own.
std::int64_t glibc_heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<std::int64_t>(heap.uordblks + heap.hblkhd);
}

CounterReading read_minor_faults(Backend& backend) {
  const auto faults = backend.minor_faults();
  if (!faults) return "page faults of the host are not counted for this device";
  return *faults;
}

/// One figure of the device's allocators; `field` is what the table below reads for it.
template <std::optional<std::int64_t> AllocatorHealth::*field>
CounterReading read_health(Backend& backend) {
  const AllocatorHealth health = backend.allocator_health();
  const auto& value = health.*field;
  if (!value) return std::string(health.why_absent);
  return *value;
}

struct StepEndCounter {
  std::string_view series;  ///< as in the catalogue
  CounterReading (*read)(Backend&);
  bool since_begin;  ///< its value for a step is the rise within it; else the level at its end
};

constexpr std::array step_end_counters = {
    StepEndCounter{"minor_faults_per_step", read_minor_faults, true},
    StepEndCounter{"host_heap_bytes", read_host_heap, false},
    StepEndCounter{"allocator_retries_per_step", read_health<&AllocatorHealth::retries>, true},
    StepEndCounter{"allocator_stream_syncs_per_step", read_health<&AllocatorHealth::stream_syncs>, true},
    StepEndCounter{"ooms_per_step", read_health<&AllocatorHealth::ooms>, true},
    StepEndCounter{"pinned_allocations_per_step", read_health<&AllocatorHealth::pinned_allocations>, true},
    StepEndCounter{"pinned_allocation_ns", read_health<&AllocatorHealth::pinned_ns>, true},
    StepEndCounter{"peak_pinned_bytes", read_health<&AllocatorHealth::peak_pinned_bytes>, false},
    StepEndCounter{"outside_allocator_bytes", read_health<&AllocatorHealth::outside_bytes>, false},
};

}  // namespace

CounterReading read_host_heap(Backend& backend) {
  if (!glibc_serves_malloc())
    return "glibc's heap statistics do not follow malloc here, which is that of " + malloc_library();
  const bool tensors_on_host = backend.simulated_h2d();
  return glibc_heap_bytes() - (tensors_on_host ? backend.memory().allocated_bytes : 0);
}

std::string malloc_library() {
  Dl_info found{};
  void* const function = dlsym(RTLD_DEFAULT, "malloc");
  if (function == nullptr || dladdr(function, &found) == 0 || found.dli_fname == nullptr) return "another library";
  return std::filesystem::path(found.dli_fname).filename().string();
}

bool glibc_serves_malloc() {
  // Three attempts, since another thread may free a block in the middle of one.
  static const bool serves = [] {
    const HeapProbe probe{glibc_heap_bytes, std::malloc, std::free};
    return follows_malloc(probe) || follows_malloc(probe) || follows_malloc(probe);
  }();
  return serves;
}

bool follows_malloc(const HeapProbe& probe) {
  // Below and above the size from which glibc gives a block a mapping of its own.
  constexpr std::array<std::size_t, 2> sizes = {48 * 1024, 64 * 1024 * 1024};
  for (const std::size_t size : sizes) {
    const std::int64_t before = probe.in_use();
    void* const block = probe.allocate(size);
    const std::int64_t with = probe.in_use();
    probe.release(block);
    if (with - before < static_cast<std::int64_t>(size) || probe.in_use() >= with) return false;
  }
  return true;
}

void StepEndCounters::begin_step() {
  for (const StepEndCounter& counter : step_end_counters) {
    if (!counter.since_begin) continue;
    const CounterReading found = counter.read(backend_);
    if (const auto* value = std::get_if<std::int64_t>(&found)) at_begin_[std::string(counter.series)] = *value;
  }
}

void StepEndCounters::end_step(MemoryProfile& profile) {
  for (const StepEndCounter& counter : step_end_counters) {
    const std::string series(counter.series);
    const CounterReading found = counter.read(backend_);
    if (const auto* value = std::get_if<std::int64_t>(&found)) {
      profile.series[series].push_back(*value - (counter.since_begin ? at_begin_[series] : 0));
    } else {
      profile.absent[series] = std::get<std::string>(found);
    }
  }
}

}  // namespace stepgate
