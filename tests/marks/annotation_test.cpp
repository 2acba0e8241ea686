#include "stepgate/annotation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "marks/annotation_compiled_out.h"
#include "marks/nvtx_listener.h"
#include "measure/counted_new.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

thread_local std::vector<std::string> ranges;

std::unique_ptr<at::ObserverContext> on_begin(const at::RecordFunction& range) {
  ranges.push_back(std::string("begin ") + range.name());
  return nullptr;
}
void on_end(const at::RecordFunction& range, at::ObserverContext* /*context*/) {
  ranges.push_back(std::string("end ") + range.name());
}

/// Listens as LibTorch's profiler does, on all threads. Switches annotations off first, in case an earlier test left
/// them on.
class Annotations : public testing::Test {
 protected:
  void SetUp() override {
    listener_ =
        at::addGlobalCallback(at::RecordFunctionCallback(on_begin, on_end).scopes({at::RecordScope::USER_SCOPE}));
    set_annotations(false);
    ranges.clear();
    test::nvtx_events().clear();
  }
  void TearDown() override {
    at::removeCallback(listener_);
    set_annotations(false);
  }

 private:
  at::CallbackHandle listener_ = 0;
};

TEST_F(Annotations, ReachNoListenerWhenOff) {
  const std::int64_t before = test::heap_allocations();
  for (int i = 0; i < 100; ++i) {
    const Annotation outer("outer");
    const Annotation inner("inner");
  }
  EXPECT_EQ(test::heap_allocations(), before);
  EXPECT_THAT(ranges, IsEmpty());
  EXPECT_THAT(test::nvtx_events(), IsEmpty());
}

TEST_F(Annotations, ReachProfilerAndNvtxNestedWhenOn) {
  set_annotations(true);
  {
    const Annotation outer("step");
    const Annotation inner("forward");
  }
  EXPECT_THAT(ranges, ElementsAre("begin step", "begin forward", "end forward", "end step"));
  EXPECT_THAT(test::nvtx_events(), ElementsAre("push step", "push forward", "pop", "pop"));
}

TEST_F(Annotations, EndWhereAnExceptionLeavesTheScope) {
  set_annotations(true);
  const auto fail = [] {
    const Annotation range("forward");
    throw std::runtime_error("no batch");
  };
  EXPECT_THROW(fail(), std::runtime_error);
  EXPECT_THAT(ranges, ElementsAre("begin forward", "end forward"));
  EXPECT_THAT(test::nvtx_events(), ElementsAre("push forward", "pop"));
}

TEST_F(Annotations, SwitchingWithinARangeLeavesItBalanced) {
  {
    const Annotation opened_off("off");
    set_annotations(true);
    const Annotation opened_on("on");
    set_annotations(false);
  }
  EXPECT_THAT(ranges, ElementsAre("begin on", "end on"));
  EXPECT_THAT(test::nvtx_events(), ElementsAre("push on", "pop"));
}

TEST_F(Annotations, BelongToTheirThread) {
  set_annotations(true);
  const Annotation here("here");
  std::vector<std::string> there_ranges;
  std::thread([&] {
    { const Annotation there("there"); }
    there_ranges = ranges;
  }).join();
  EXPECT_THAT(there_ranges, ElementsAre("begin there", "end there"));
  EXPECT_THAT(ranges, ElementsAre("begin here"));
}

TEST_F(Annotations, EnvironmentDecidesOnceUnlessTheProgramDid) {
  ::setenv("STEPGATE_ANNOTATIONS", "1", 1);
  EXPECT_FALSE(annotations_on()) << "the program switched them off before";
  annotation_switch.store(AnnotationSwitch::environment);  // as at the program's start
  EXPECT_TRUE(annotations_on());
  ::setenv("STEPGATE_ANNOTATIONS", "0", 1);
  EXPECT_TRUE(annotations_on()) << "read once";
  annotation_switch.store(AnnotationSwitch::environment);
  EXPECT_FALSE(annotations_on()) << "only 1 is on";
  ::unsetenv("STEPGATE_ANNOTATIONS");
  annotation_switch.store(AnnotationSwitch::environment);
  EXPECT_FALSE(annotations_on());
}

TEST_F(Annotations, CannotBeSwitchedOnWhenCompiledOut) {
  set_annotations(true);
  EXPECT_EQ(test::annotated_without_annotations(), 0);
  EXPECT_THAT(ranges, IsEmpty());
  EXPECT_THAT(test::nvtx_events(), IsEmpty());
}

// A name that a tool might read after its end of life does not compile.
static_assert(std::is_constructible_v<Annotation, RangeName>);
static_assert(!std::is_constructible_v<Annotation, std::string>);
static_assert(!std::is_constructible_v<Annotation, const char*>);
static_assert(!std::is_copy_constructible_v<Annotation>);

}  // namespace
}  // namespace stepgate
