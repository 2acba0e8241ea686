// Reserved memory of an exact pass does not stem from the workload of the pass before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/device/fake/scripted_queue.h"
#include "measure/program/case/case_run.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::Each;
using testing::SizeIs;

/// The CPU, and beside it the scripted device's allocator, which keeps what is freed.
class CachingSide final : public DeviceSide {
 public:
  explicit CachingSide(ScriptedQueue& queue) : queue_(queue), cpu_(open_device("cpu")) {}

  torch::Device device() const override { return cpu_->device(); }
  std::unique_ptr<Backend> make_backend(CountingAllocator* allocator) override { return cpu_->make_backend(allocator); }
  std::unique_ptr<BatchCopier> make_copier() override { return cpu_->make_copier(); }
  std::unique_ptr<WorkCounter> make_counter() override { return cpu_->make_counter(); }
  void release_cached_memory() override { queue_.release_cached(); }
  std::variant<std::unique_ptr<DeviceWorkTrace>, std::string> make_work_trace() override { return "not here"; }
  bool can_pin() const override { return false; }
  void copy_tensors(const std::vector<torch::Tensor>& from, const std::vector<torch::Tensor>& to) override {
    cpu_->copy_tensors(from, to);
  }
  std::optional<std::int64_t> link_bytes_per_s() const override { return std::nullopt; }
  Fingerprint facts() const override { return {}; }
  std::map<std::string, std::string> absent_exact_metrics() const override { return {}; }
  std::map<std::string, std::string> absent_timed_metrics() const override { return {}; }

 private:
  ScriptedQueue& queue_;
  std::unique_ptr<DeviceSide> cpu_;
};

TEST(CachedMemory, EachExactPassStartsWithNothingReserved) {
  ScriptedQueue queue;
  CachingSide device(queue);
  std::vector<std::int64_t> reserved_bytes;
  Case test_case = toy_mlp();
  test_case.make = [&, make = test_case.make](const CaseContext& context) {
    reserved_bytes.push_back(queue.memory().reserved_bytes());
    queue.allocate(1000, Stream::compute);  // and freed at once: the allocator keeps it
    return make(context);
  };
  CaseRun run(test_case, device, {.steps = test_case.steps});
  for (const Pass pass : {Pass::counts, Pass::memory, Pass::numerics}) run.run(pass);
  EXPECT_THAT(reserved_bytes, SizeIs(3));
  EXPECT_THAT(reserved_bytes, Each(0));
}

}  // namespace
}  // namespace stepgate
