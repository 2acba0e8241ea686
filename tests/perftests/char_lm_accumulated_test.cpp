#include "language/char_lm_accumulated.h"

#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <string>

#include "perftests/data_folder.h"
#include "support/checkpoint_file.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

CharLmAccumulatedSize accumulated_size(std::int64_t micro_batches, const std::string& telemetry = "off") {
  CharLmAccumulatedSize size = tiny_char_lm_accumulated();
  size.micro_batches = micro_batches;
  size.telemetry = telemetry;
  return size;
}

template <typename Made = CharLmAccumulated>
std::unique_ptr<Made> new_accumulated(const CharLmAccumulatedSize& size) {
  torch::set_num_threads(1);
  torch::manual_seed(3);
  CaseContext context;
  context.seed = 3;
  return std::make_unique<Made>(context, size, synthetic_sources());
}

/// What is left of the gradients after each step is their sum so far.
double train_micro_batch(CharLm& workload, std::int64_t step) {
  const Batch batch = workload.next_batch();
  const torch::Tensor loss = workload.forward(batch);
  workload.backward(loss);
  workload.optimizer_step();
  workload.log_step(step, loss);
  return loss.item<double>();
}

TEST(CharLmAccumulated, UpdatesOnceInFourMicroBatchesWithTheirMeanGradient) {
  const auto workload = new_accumulated(accumulated_size(4));
  std::vector<torch::Tensor> before;
  for (const torch::Tensor& parameter : workload->parameters()) before.push_back(parameter.detach().clone());
  torch::Tensor sum;
  for (std::int64_t step = 0; step < 3; ++step) {
    train_micro_batch(*workload, step);
    EXPECT_EQ(workload->updates(), 0);
    EXPECT_TRUE(torch::equal(workload->parameters()[0], before[0]));
    sum = workload->parameters()[0].grad().clone();
  }
  // The weights have not moved, so each of the four gradients can be computed alone.
  const auto alone = new_accumulated(accumulated_size(1));
  torch::Tensor expected = torch::zeros_like(sum);
  for (int step = 0; step < 3; ++step) {
    alone->backward(alone->forward(alone->next_batch()));
    expected += alone->parameters()[0].grad() / 4;
    alone->parameters()[0].mutable_grad().zero_();
  }
  EXPECT_TRUE(torch::allclose(sum, expected, 1e-4, 1e-7));
  train_micro_batch(*workload, 3);
  EXPECT_EQ(workload->updates(), 1);
  EXPECT_FALSE(torch::equal(workload->parameters()[0], before[0]));
  EXPECT_FALSE(workload->parameters()[0].grad().defined()) << "the next update begins without gradients";
}

TEST(CharLmAccumulated, Learns) {
  const auto workload = new_accumulated(accumulated_size(4));
  const double first = train_micro_batch(*workload, 0);
  double last = first;
  for (std::int64_t step = 1; step < 100; ++step) last = train_micro_batch(*workload, step);
  // Seen with the schedule above: below 3.2 after 25 updates; a model that learns nothing stays at 4.6.
  EXPECT_LT(last, first - 0.5);
}

class FrozenRate final : public CharLmAccumulated {
 public:
  using CharLmAccumulated::CharLmAccumulated;

 protected:
  double learning_rate() const override { return 1e-3; }
};

TEST(CharLmAccumulated, AScheduleThatStandsStillChangesLossesOnly) {
  const auto right = new_accumulated(accumulated_size(2));
  const auto frozen = new_accumulated<FrozenRate>(accumulated_size(2));
  std::vector<double> of_right;
  std::vector<double> of_frozen;
  for (std::int64_t step = 0; step < 8; ++step) {
    of_right.push_back(train_micro_batch(*right, step));
    of_frozen.push_back(train_micro_batch(*frozen, step));
  }
  // The first rate of the schedule is a third of its peak, which is 1e-3 too.
  EXPECT_EQ(std::vector(of_right.begin(), of_right.begin() + 4), std::vector(of_frozen.begin(), of_frozen.begin() + 4));
  EXPECT_NE(of_right[4], of_frozen[4]) << "the second update has another rate";
}

/// Operators called while it lives, on any thread.
class CalledOperators {
 public:
  CalledOperators() {
    calls_ = 0;
    handle_ = at::addGlobalCallback(
        at::RecordFunctionCallback([](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> {
          ++calls_;
          return nullptr;
        }).scopes({at::RecordScope::FUNCTION}));
  }
  ~CalledOperators() { at::removeCallback(handle_); }
  CalledOperators(const CalledOperators&) = delete;
  CalledOperators& operator=(const CalledOperators&) = delete;
  static int calls() { return calls_; }

 private:
  static inline std::atomic<int> calls_ = 0;
  at::CallbackHandle handle_;
};

TEST(CharLmAccumulated, OnlyEveryFourthStepCallsOperatorsOfTheOptimizer) {
  const auto workload = new_accumulated(accumulated_size(4));
  std::vector<int> calls;
  for (std::int64_t step = 0; step < 8; ++step) {
    workload->backward(workload->forward(workload->next_batch()));
    const CalledOperators called;
    workload->optimizer_step();
    calls.push_back(CalledOperators::calls());
  }
  for (const std::size_t step : {0U, 1U, 2U, 4U, 5U, 6U}) EXPECT_EQ(calls[step], 0) << step;
  EXPECT_GT(calls[3], 100);
  EXPECT_GT(calls[7], 100);
}

TEST(CharLmAccumulated, RecordsEachUpdate) {
  const TemporaryFolder folder;
  {
    const auto workload = new_accumulated(accumulated_size(2, (folder.path() / "log").string()));
    for (std::int64_t step = 0; step < 5; ++step) train_micro_batch(*workload, step);
  }
  std::ifstream file(folder.path() / "log" / "telemetry.jsonl");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 2U);
  for (const std::string& line : lines) {
    EXPECT_NE(line.find("\"loss\":"), std::string::npos) << line;
    EXPECT_NE(line.find("\"gradient_norm\":"), std::string::npos) << line;
  }
  EXPECT_NE(lines[0].find("\"learning_rate\":0.001"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("\"learning_rate\":0.002"), std::string::npos) << lines[1];
}

TEST(CharLmAccumulated, TelemetryChangesNoLoss) {
  const auto with = new_accumulated(accumulated_size(2, "on"));
  const auto without = new_accumulated(accumulated_size(2));
  for (std::int64_t step = 0; step < 6; ++step)
    EXPECT_EQ(train_micro_batch(*with, step), train_micro_batch(*without, step)) << step;
}

TEST(CharLmAccumulated, ACheckpointGoesOnAsTheTrainingDid) {
  const TemporaryFolder folder;
  torch::manual_seed(3);
  torch::nn::Linear model(3, 2);
  torch::optim::AdamW optimizer(model->parameters(), torch::optim::AdamWOptions(0.1));
  const auto train = [](torch::nn::Linear& net, torch::optim::AdamW& update) {
    net->forward(torch::ones({4, 3})).square().sum().backward();
    update.step();
    update.zero_grad();
  };
  train(model, optimizer);
  save_checkpoint_file(folder.path() / "one.pt", *model, optimizer);
  torch::nn::Linear other(3, 2);
  torch::optim::AdamW of_other(other->parameters(), torch::optim::AdamWOptions(0.1));
  load_checkpoint_file(folder.path() / "one.pt", *other, of_other);
  train(model, optimizer);
  train(other, of_other);
  EXPECT_TRUE(torch::equal(model->weight, other->weight));
  EXPECT_TRUE(torch::equal(model->bias, other->bias));
}

TEST(CharLmAccumulated, ACheckpointHasOneSizeInEveryBuildOfTheWorkload) {
  const TemporaryFolder folder;
  const auto size_of = [&](const std::string& name) {
    const auto workload = new_accumulated(accumulated_size(1));
    train_micro_batch(*workload, 0);
    EXPECT_TRUE(workload->save_checkpoint(folder.path() / name));
    return std::filesystem::file_size(folder.path() / name);
  };
  const auto one = size_of("one.pt");
  const auto spacer = torch::ones({1000});  // other addresses
  EXPECT_EQ(one, size_of("a_longer_name.pt"));
  std::int64_t parameters = 0;
  for (const torch::Tensor& each : new_accumulated(accumulated_size(1))->parameters()) parameters += each.numel();
  EXPECT_GT(one, static_cast<std::uintmax_t>(3 * 4 * parameters)) << "weights and two averages";
}

TEST(CharLmAccumulated, AFullDiskIsAnErrorAndNoSmallCheckpoint) {
  const auto workload = new_accumulated(accumulated_size(1));
  train_micro_batch(*workload, 0);
  EXPECT_ANY_THROW(workload->save_checkpoint("/dev/full"));
  EXPECT_ANY_THROW(workload->save_checkpoint("/no/such/folder/checkpoint.pt"));
}

TEST(CharLmAccumulated, ParametersOfTheCaseAreReadBack) {
  const auto params = params_of(tiny_char_lm_accumulated());
  EXPECT_EQ(params.at("micro_batches"), "4");
  EXPECT_EQ(params.at("telemetry"), "on");
  EXPECT_EQ(with_params(tiny_char_lm_accumulated(), {{"micro_batches", "8"}}).micro_batches, 8);
  EXPECT_EQ(with_params(tiny_char_lm_accumulated(), {{"telemetry", "/tmp/log"}}).telemetry, "/tmp/log");
  EXPECT_THROW(with_params(tiny_char_lm_accumulated(), {{"micro_steps", "8"}}), std::invalid_argument);
  EXPECT_THROW(with_params(tiny_char_lm_accumulated(), {{"total_updates", "2"}}), std::invalid_argument);
}

}  // namespace
}  // namespace stepgate
