#include "measure/device/slot_copier.h"

#include <gtest/gtest.h>

#include <memory>

#include "measure/device/fake/scripted_queue.h"

namespace stepgate {
namespace {

/// A training loop: a loader that pins, the copier, a kernel that reads the batch and uses a temporary block.
class Loop {
 public:
  explicit Loop(bool foreign = false) : foreign_(foreign) {}

  void step(std::int64_t bytes) {
    const HostBuffer batch = foreign_ ? queue.allocate_foreign(bytes) : queue.allocate_host(bytes, HostMemory::pinned);
    queue.write_on_host(batch->address, {"loader: write of", 0, 0});
    copy(batch);
    const DeviceMemory temporary = queue.allocate(2 * bytes, Stream::compute);
    queue.launch({.site = {"step: kernel", 0, 0}, .ns = 10'000, .reads = inputs, .writes = std::span(&temporary, 1)});
    copier.step_enqueued();
  }
  void copy(const HostBuffer& batch) {
    const HostBytes bytes = *batch;
    inputs = copier.copy(std::span(&bytes, 1), [&] {
      ++held;
      return batch;
    });
  }

  ScriptedQueue queue;
  SlotCopier copier{queue};
  std::span<const DeviceMemory> inputs;
  std::int64_t held = 0;

 private:
  bool foreign_;
};

// The freed temporary of step 2 becomes the larger buffer of step 3, while step 2 is still queued.
TEST(SlotCopier, ALargerBufferWaitsForWorkThatMayStillUseItsMemory) {
  Loop loop;
  loop.step(1000);
  loop.step(1000);
  EXPECT_NO_THROW(loop.step(2000));
}

TEST(SlotCopier, BuffersThatAreLargeEnoughStay) {
  Loop loop;
  for (int i = 0; i < 2; ++i) loop.step(1000);
  const std::int64_t mallocs = loop.queue.memory().device_mallocs();
  for (int i = 0; i < 10; ++i) loop.step(i % 2 == 0 ? 10 : 1000);
  EXPECT_EQ(loop.queue.memory().device_mallocs(), mallocs);
}

TEST(SlotCopier, ABufferThatSomebodyHoldsIsReplacedAndNeverWrittenAgain) {
  Loop loop;
  loop.step(1000);
  const DeviceMemory held = loop.inputs[0];
  loop.step(1000);
  const DeviceMemory second = loop.inputs[0];
  loop.copier.replace(0);  // the next copy would write to the first buffer
  loop.step(1000);
  EXPECT_NE(loop.inputs[0]->address, held->address);
  EXPECT_NE(loop.inputs[0]->address, second->address);
  const DeviceMemory third = loop.inputs[0];
  loop.step(1000);
  EXPECT_EQ(loop.inputs[0]->address, second->address) << "the other buffer stays";
  loop.step(1000);
  EXPECT_EQ(loop.inputs[0]->address, third->address);
}

TEST(SlotCopier, CopiesRunBesideTheComputeOfTheStepBefore) {
  Loop loop;
  for (int i = 0; i < 2; ++i) loop.step(100'000);  // both sets of buffers are new
  loop.queue.synchronize();
  const std::int64_t begin_ns = loop.queue.now_ns();
  for (int i = 0; i < 3; ++i) loop.step(100'000);
  loop.queue.synchronize();
  // Three kernels of 10 us, and the first copy, 5 us: the others ran beside kernels.
  EXPECT_EQ(loop.queue.now_ns() - begin_ns, 3 * 10'000 + 5'001);
}

TEST(SlotCopier, KeepsNoBatchThatThePoolOfPinnedMemoryFollows) {
  Loop loop;
  for (int i = 0; i < 20; ++i) loop.step(1000);
  EXPECT_EQ(loop.held, 0);
}

// The host runs at most some steps ahead of the device: it waits for it now and then, as at the end of a window.
TEST(SlotCopier, PinnedMemoryIsRecycledOnceWarm) {
  Loop loop;
  const auto window = [&] {
    for (int i = 0; i < 10; ++i) loop.step(1000);
    loop.queue.synchronize();
  };
  window();
  const std::int64_t mallocs = loop.queue.memory().pinned_mallocs();
  for (int i = 0; i < 20; ++i) window();
  EXPECT_EQ(loop.queue.memory().pinned_mallocs(), mallocs);
  EXPECT_LE(mallocs, 10);
}

TEST(SlotCopier, KeepsOtherPinnedMemoryUntilItIsCopied) {
  Loop loop(true);
  for (int i = 0; i < 20; ++i) loop.step(1000);
  EXPECT_EQ(loop.held, 20);
  EXPECT_NO_THROW(loop.queue.synchronize());
}

TEST(SlotCopier, LetsGoOfOtherPinnedMemoryOnceItIsCopied) {
  Loop loop;
  std::weak_ptr<const HostBytes> kept;
  {
    const HostBuffer batch = loop.queue.allocate_foreign(1000);
    kept = batch;
    loop.copy(batch);
  }
  EXPECT_FALSE(kept.expired());
  loop.queue.synchronize();
  loop.step(1000);
  EXPECT_TRUE(kept.expired());
}

TEST(SlotCopier, WaitsForPendingCopiesFromMemoryThatItKeepsWhenItEnds) {
  ScriptedQueue queue;
  {
    SlotCopier copier(queue);
    HostBuffer batch = queue.allocate_foreign(1000);
    const HostBytes bytes = *batch;
    copier.copy(std::span(&bytes, 1), [&] { return std::move(batch); });
  }
  EXPECT_NO_THROW(queue.synchronize());
}

TEST(SlotCopier, ABlockWithoutBytesNeedsNoBuffer) {
  ScriptedQueue queue;
  SlotCopier copier(queue);
  const HostBytes nothing;
  const auto buffers = copier.copy(std::span(&nothing, 1), [] { return nullptr; });
  ASSERT_EQ(buffers.size(), 1u);
  EXPECT_EQ(buffers[0], nullptr);
}

}  // namespace
}  // namespace stepgate
