#include "measure/passes/exact/primitive_creations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/scripts.h"

namespace stepgate {
namespace {

using testing::ElementsAre;

/// Two steps make primitives.
class ScriptedPrimitives final : public PrimitiveWatch {
 public:
  void begin_step() override { ++step_; }
  std::int64_t end_step() override { return step_ <= 2 ? 7 : 0; }

 private:
  std::int64_t step_ = 0;
};

TEST(PrimitiveCreations, HaveOneValueForEachCountedStep) {
  FakeBackend backend;
  ScriptedPrimitives watch;
  ScriptedStep step(backend, {test::queued_step()});
  EXPECT_THAT(count_primitive_creations(step, watch, {.counts = 4, .exact_warmup = 1}), ElementsAre(7, 7, 0, 0));
}

}  // namespace
}  // namespace stepgate
