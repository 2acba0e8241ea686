// Operators for which the host would wait for a device, counted on a CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/record/wait_metric.h"
#include "measure/device/device_side.h"
#include "measure/device/work/work_observer.h"

namespace stepgate {
namespace {

using testing::IsEmpty;

const std::string would_be_metric(would_sync_per_step);

using Waits = std::map<std::string, std::int64_t>;

struct WhereItRuns {
  const char* boundary = "forward";
  bool on_gpu = false;
};

template <typename Body>
Waits waits_of(Body body, WhereItRuns where = {}) {
  WorkObserver observer({.on_gpu = where.on_gpu});
  observer.start();
  observer.enter(where.boundary);
  body();
  observer.leave();
  observer.stop();
  return observer.totals().waits;
}

std::string printed(const torch::Tensor& tensor) {
  std::ostringstream text;
  text << tensor;
  return text.str();
}

class WouldBeSyncs : public testing::Test {
 protected:
  const torch::Tensor values_ = torch::arange(12, torch::kFloat).view({3, 4});
  const torch::Tensor mask_ = values_ > 5;
  const torch::Tensor rows_ = torch::tensor({0, 2});
};

TEST_F(WouldBeSyncs, CountAReadOfAValueOnce) {
  EXPECT_EQ(waits_of([&] { values_.sum().item<float>(); }), (Waits{{"aten::item", 1}}));
  EXPECT_EQ(waits_of([&] { values_.equal(values_); }), (Waits{{"aten::equal", 1}}));
  EXPECT_EQ(waits_of([&] { values_.allclose(values_); }), (Waits{{"aten::allclose", 1}}));
}

TEST_F(WouldBeSyncs, AreNoneOfACastThatAnOperatorMakesToTheDtypeItHas) {
  const torch::Tensor targets = torch::tensor({0, 3, 1});
  EXPECT_THAT(waits_of([&] { torch::cross_entropy_loss(values_, targets, {}, at::Reduction::Sum); }), IsEmpty());
}

TEST_F(WouldBeSyncs, CountAMaskAsIndexAndNotPositions) {
  EXPECT_EQ(waits_of([&] { values_.index({mask_}); }), (Waits{{"aten::nonzero", 1}}));
  EXPECT_EQ(waits_of([&] { values_.masked_select(mask_); }), (Waits{{"aten::masked_select", 1}}));
  EXPECT_THAT(waits_of([&] { values_.index({rows_}); }), IsEmpty());
}

TEST_F(WouldBeSyncs, AreNoneOfWhatKeepsTheSize) {
  EXPECT_THAT(waits_of([&] {
                torch::where(mask_, values_, torch::zeros_like(values_));
                values_.masked_fill(mask_, 0);
                values_.index_select(0, rows_);
                values_.gather(0, torch::zeros({1, 4}, torch::kLong));
                values_.softmax(1).topk(2);
              }),
              IsEmpty());
}

TEST_F(WouldBeSyncs, CountResultsWhoseSizeDependsOnValuesUnlessItIsGiven) {
  const torch::Tensor repeats = torch::tensor({1, 0, 2});
  EXPECT_EQ(waits_of([&] { at::_unique2(rows_); }), (Waits{{"aten::_unique2", 1}}));
  EXPECT_EQ(waits_of([&] { torch::bincount(rows_); }), (Waits{{"aten::bincount", 1}}));
  EXPECT_EQ(waits_of([&] { torch::one_hot(rows_); }), (Waits{{"aten::one_hot", 1}}));
  EXPECT_THAT(waits_of([&] { torch::one_hot(rows_, 3); }), IsEmpty()) << "only a CPU looks at the values then";
  EXPECT_EQ(waits_of([&] { torch::repeat_interleave(values_, repeats, 0); }), (Waits{{"aten::repeat_interleave", 1}}));
  EXPECT_THAT(waits_of([&] { torch::repeat_interleave(values_, repeats, 0, 3); }), IsEmpty());
}

TEST_F(WouldBeSyncs, CountACallOfCpuAndNoOtherConversion) {
  EXPECT_EQ(waits_of([&] { values_.cpu(); }), (Waits{{"aten::to", 1}}));
  EXPECT_THAT(waits_of([&] {
                values_.to(torch::kCPU);
                values_.to(torch::kDouble);
                values_.to(torch::kCPU, torch::kDouble);
                values_.clone().copy_(values_);
              }),
              IsEmpty());
}

TEST_F(WouldBeSyncs, CountPrintingOnce) {
  for (const torch::Tensor& tensor : {values_, values_.to(torch::kDouble), values_.sum(), rows_}) {
    EXPECT_EQ(waits_of([&] { printed(tensor); }), (Waits{{"at::print", 1}})) << tensor;
  }
}

TEST_F(WouldBeSyncs, AreNoneInTheLoaderAndWithoutAnOperandOnTheGpu) {
  EXPECT_THAT(waits_of([&] { values_.sum().item<float>(); }, {.boundary = "data_wait"}), IsEmpty());
  EXPECT_THAT(waits_of([&] { values_.sum().item<float>(); }, {.on_gpu = true}), IsEmpty());
}

TEST_F(WouldBeSyncs, AreInTheTotalsOfTheCountsPass) {
  const auto device = open_device("cpu");
  const auto backend = device->make_backend(nullptr);
  const auto counter = make_observed_counter(*device, *backend, [] { return std::vector<torch::Tensor>{}; });
  counter->start();
  EXPECT_EQ(counter->totals().counters.at(would_be_metric), 0);
  counter->enter("forward");
  values_.index({mask_}).sum().item<float>();
  counter->leave();
  const WorkTotals totals = counter->totals();
  counter->stop();
  EXPECT_EQ(totals.counters.at(would_be_metric), 2);
  EXPECT_EQ(totals.device_calls.at(would_be_metric), (Waits{{"aten::nonzero", 1}, {"aten::item", 1}}));
  EXPECT_EQ(totals.counters.at("host_syncs_per_step"), 1) << "its meaning stays: reads of a value";
}

}  // namespace
}  // namespace stepgate
