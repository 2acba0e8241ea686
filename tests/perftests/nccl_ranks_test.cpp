// Ranks with a GPU each, over NCCL. tests/emulated starts them on the emulated GPU with STEPGATE_TEST_NCCL=1; this
// process must not open CUDA before its ranks do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "perftests/two_ranks.h"
#include "support/gradient_exchange.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

constexpr const char* own_message = "an exchange with the other ranks failed (did one of them end, or hang?)";

class NcclRanks : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("STEPGATE_TEST_NCCL") == nullptr) GTEST_SKIP() << "two GPUs are needed (STEPGATE_TEST_NCCL)";
  }
};

/// One weight, whose gradients are exchanged.
class RankTraining {
 public:
  RankTraining(CaseContext context, const RankPatience& patience)
      : context_(on_own_gpu(std::move(context))),
        weights_{torch::full({3}, 1.0, torch::TensorOptions().device(context_.device).requires_grad(true))},
        exchange_(weights_, join_ranks(context_, patience), {}) {}

  void step() {
    exchange_.begin();
    weights_[0].sum().backward();
    exchange_.finish();
  }
  /// Longer than any patience of these tests on a device that is slow enough.
  void work_for_long() const {
    const torch::Tensor large = torch::empty({8192, 8192}, torch::TensorOptions().device(context_.device));
    static_cast<void>(large.mm(large));
  }

 private:
  static CaseContext on_own_gpu(CaseContext context) {
    context.device = torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(context.rank));
    return context;
  }

  CaseContext context_;
  std::vector<torch::Tensor> weights_;
  GradientExchange exchange_;
};

TEST_F(NcclRanks, TrainAndShutTheirCommunicatorsDown) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    RankTraining training(context, {});
    training.step();
    training.step();
    return std::vector<double>{1};
  });
  for (const RankResult& rank : ranks) EXPECT_EQ(rank.values, std::vector<double>{1}) << rank.failure;
}

TEST_F(NcclRanks, SayThatARankNeverCame) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    if (context.rank == 0) RankTraining(context, {.meeting = 500ms}).step();
    return std::vector<double>{1};
  });
  EXPECT_THAT(ranks[0].failure, HasSubstr("rank 0 could not meet the other 1"));
}

TEST_F(NcclRanks, SayThatARankEnded) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    RankTraining training(context, {});
    training.step();
    if (context.rank == 1) ::_exit(0);
    training.step();
    return std::vector<double>{1};
  });
  EXPECT_THAT(ranks[0].failure, HasSubstr(own_message));
}

/// A rank that lives and comes to no exchange.
TEST_F(NcclRanks, EndAnExchangeThatARankNeverStarts) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    RankTraining training(context, {.exchange = 2s});
    training.step();
    if (context.rank == 1) {
      std::this_thread::sleep_for(10s);
      ::_exit(0);
    }
    training.step();
    std::this_thread::sleep_for(4s);
    training.step();
    return std::vector<double>{1};
  });
  EXPECT_THAT(ranks[0].failure, HasSubstr(own_message));
}

/// On a device that is busy for longer than the patience, as with a rank that hangs: the exchange does not end.
TEST_F(NcclRanks, EndAHangWithAMessage) {
  const auto ranks = on_two_ranks([](const CaseContext& context) {
    RankTraining training(context, {.exchange = 2s});
    training.work_for_long();
    training.step();
    std::this_thread::sleep_for(4s);
    training.step();
    return std::vector<double>{1};
  });
  for (const RankResult& rank : ranks) EXPECT_THAT(rank.failure, HasSubstr(own_message)) << "and no SIGABRT";
}

}  // namespace
}  // namespace stepgate
