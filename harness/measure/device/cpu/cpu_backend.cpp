#include "measure/device/cpu/cpu_backend.h"

#include <sys/resource.h>

#include <chrono>

#include "measure/device/cpu/counting_allocator.h"

namespace stepgate {
namespace {

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(CountingAllocator* allocator) : allocator_(allocator) {}

  std::string_view clock_name() const override { return "steady_clock"; }

  std::int64_t now_ns() override {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
  }

  void synchronize() override {}
  bool has_device_events() const override { return false; }
  void reserve_events(std::size_t /*count*/) override {}
  void record_event(std::size_t /*slot*/, Stream /*stream*/) override {}
  std::int64_t elapsed_ns(std::size_t /*from*/, std::size_t /*to*/) override { return 0; }

  void occupy(Stream /*stream*/, std::int64_t /*at_least_ns*/) override {}

  MemoryStats memory() override { return allocator_ == nullptr ? MemoryStats{} : allocator_->stats(); }
  void reset_peak() override {
    if (allocator_ != nullptr) allocator_->reset_peak();
  }
  bool trace_memory(MemoryTrace* trace) override {
    if (allocator_ != nullptr) allocator_->follow(trace);
    return allocator_ != nullptr;
  }

  std::optional<std::int64_t> minor_faults() override {
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0) return std::nullopt;
    return usage.ru_minflt;
  }

  bool simulated_h2d() const override { return true; }

 private:
  CountingAllocator* allocator_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(CountingAllocator* allocator) {
  return std::make_unique<CpuBackend>(allocator);
}

}  // namespace stepgate
