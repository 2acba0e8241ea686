#include "measure/step/loop_fiber.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <thread>

namespace stepgate {
namespace {

TEST(LoopFiber, RunsFromPauseToPauseOnTheSameThread) {
  std::string seen;
  LoopFiber* self = nullptr;
  std::thread::id inside;
  LoopFiber fiber([&] {
    inside = std::this_thread::get_id();
    seen += "a";
    self->pause();
    seen += "b";
    self->pause();
    seen += "c";
  });
  self = &fiber;
  EXPECT_EQ(seen, "") << "the body starts only on request";
  fiber.resume();
  EXPECT_EQ(seen, "a");
  fiber.resume();
  EXPECT_EQ(seen, "ab");
  EXPECT_FALSE(fiber.ended());
  fiber.resume();
  EXPECT_EQ(seen, "abc");
  EXPECT_TRUE(fiber.ended());
  EXPECT_EQ(inside, std::this_thread::get_id());
}

TEST(LoopFiber, ThrowsWhatItsBodyThrew) {
  LoopFiber fiber([] { throw std::out_of_range("no such batch"); });
  EXPECT_THROW(fiber.resume(), std::out_of_range);
  EXPECT_TRUE(fiber.ended());
}

TEST(LoopFiber, UnwindsABodyThatIsGivenUp) {
  struct Witness {
    bool* gone;
    ~Witness() { *gone = true; }
  };
  bool gone = false;
  {
    LoopFiber* self = nullptr;
    LoopFiber fiber([&] {
      const Witness witness{&gone};
      self->pause();
      FAIL() << "the fiber was not resumed";
    });
    self = &fiber;
    fiber.resume();
    EXPECT_FALSE(gone);
  }
  EXPECT_TRUE(gone);
}

/// Needs about `kilobytes` of stack.
int dig(int kilobytes) {
  std::array<volatile char, 1024> page{};
  page[static_cast<std::size_t>(kilobytes) % page.size()] = 1;
  return kilobytes == 0 ? 0 : dig(kilobytes - 1) + page[static_cast<std::size_t>(kilobytes) % page.size()];
}

TEST(LoopFiber, HasTheStackOfAMainThread) {
  int depth = 0;
  LoopFiber fiber([&] { depth = dig(6 * 1024); });  // a model with deep recursion uses 6 of 8 MiB
  fiber.resume();
  EXPECT_EQ(depth, 6 * 1024);
}

}  // namespace
}  // namespace stepgate
