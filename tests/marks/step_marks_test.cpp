#include "stepgate/step_marks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "marks/scripted_clock.h"

namespace stepgate {
namespace {

/// Keeps the number of tensors that copied() received.
class SeenTensors final : public StepMarks {
 public:
  bool next_step() override { return true; }
  void loaded(const StepWork& /*work*/) override {}
  void copied(TensorView on_device = {}) override {
    count = on_device.size();
    first = on_device.data();
  }
  void forward_done(const at::Tensor& /*loss*/) override {}
  void backward_done() override {}
  void optimizer_done() override {}

  std::size_t count = 99;
  const at::Tensor* first = nullptr;
};

TEST(StepMarks, TakeTensorsFromListsAndContainers) {
  SeenTensors seen;
  StepMarks& marks = seen;
  marks.copied({at::Tensor(), at::Tensor()});
  EXPECT_EQ(seen.count, 2U);
  const std::vector<at::Tensor> three(3);
  marks.copied(three);
  EXPECT_EQ(seen.count, 3U);
  EXPECT_EQ(seen.first, three.data()) << "the view refers to them without a copy";
  marks.copied();
  EXPECT_EQ(seen.count, 0U);
}

static_assert(!std::is_convertible_v<std::string, TensorView>);
static_assert(!std::is_convertible_v<std::vector<int>, TensorView>);

}  // namespace
}  // namespace stepgate
