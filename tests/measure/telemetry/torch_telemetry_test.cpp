#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "stepgate/telemetry.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;

std::vector<nlohmann::json> lines_of(const std::filesystem::path& folder) {
  std::vector<nlohmann::json> lines;
  std::istringstream text(text_of(folder / "telemetry.jsonl"));
  for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

/// How many operators the thread runs inside `action`.
template <typename Action>
std::int64_t operators_in(const Action& action) {
  static std::int64_t calls = 0;
  const auto handle = at::addThreadLocalCallback(
      at::RecordFunctionCallback([](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> {
        ++calls;
        return nullptr;
      }).scopes({at::RecordScope::FUNCTION}));
  calls = 0;
  action();
  at::removeCallback(handle);
  return calls;
}

/// ci/check_traces lets TensorBoard read what the test writes.
std::filesystem::path folder_to_read(const TemporaryFolder& temporary) {
  const char* asked = std::getenv("STEPGATE_TELEMETRY");
  return asked == nullptr ? temporary.path() : std::filesystem::path(asked);
}

TEST(Telemetry, RecordsLossesRatesAndNorms) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = folder_to_read(temporary);
  torch::manual_seed(1);
  torch::nn::Linear model(3, 2);
  torch::optim::SGD optimizer(model->parameters(), 0.25);
  std::vector<double> norms;
  {
    Telemetry telemetry({.folder = folder, .every = 2, .window = 2});
    for (int step = 0; step < 6; ++step) {
      const torch::Tensor loss = model->forward(torch::ones({4, 3})).square().mean();
      loss.backward();
      const bool recorded = telemetry.begin_step(step);
      EXPECT_EQ(recorded, step % 2 == 0);
      if (recorded) {
        telemetry.scalar("loss", loss.detach());
        telemetry.scalar("epoch", 1);
        telemetry.learning_rate(optimizer);
        telemetry.gradient_norms(model->named_parameters());
        telemetry.weight_norms(model->named_parameters());
        telemetry.end_step();
        norms.push_back(torch::cat({model->weight.grad().reshape({-1}), model->bias.grad()}).norm().item<double>());
      }
      optimizer.step();
      optimizer.zero_grad();
    }
  }
  const auto lines = lines_of(folder);
  ASSERT_EQ(lines.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& values = lines[i].at("values");
    EXPECT_EQ(lines[i].at("step"), 2 * i);
    EXPECT_EQ(values.at("learning_rate"), 0.25);
    EXPECT_EQ(values.at("epoch"), 1);
    EXPECT_NEAR(values.at("gradient_norm").get<double>(), norms[i], 1e-5);
    const double weight = values.at("gradient_norm/weight").get<double>();
    const double bias = values.at("gradient_norm/bias").get<double>();
    EXPECT_NEAR(std::hypot(weight, bias), norms[i], 1e-5);
    EXPECT_GT(values.at("weight_norm/weight"), 0);
  }
  EXPECT_GT(lines[0].at("values").at("loss"), lines[2].at("values").at("loss"));
}

TEST(Telemetry, ReadsTheDeviceOnceAWindow) {
  const TemporaryFolder folder;
  Telemetry telemetry({.folder = folder.path(), .every = 1, .window = 3, .tensorboard = false});
  const torch::Tensor loss = torch::ones({});
  for (int step = 0; step < 5; ++step) {
    telemetry.begin_step(step);
    telemetry.scalar("loss", loss);
    telemetry.end_step();
    EXPECT_EQ(lines_of(folder.path()).size(), step < 2 ? 0u : 3u) << step;
  }
  telemetry.flush();
  EXPECT_EQ(lines_of(folder.path()).size(), 5u);
}

TEST(Telemetry, OffRunsNoOperator) {
  Telemetry telemetry;
  torch::nn::Linear model(3, 2);
  torch::optim::SGD optimizer(model->parameters(), 0.25);
  const auto parameters = model->named_parameters();
  const torch::Tensor loss = torch::ones({}, torch::requires_grad()) * 2;  // with a graph: nobody looks at it
  const auto step = [&] {
    EXPECT_FALSE(telemetry.begin_step(0));
    telemetry.scalar("loss", loss);
    telemetry.gradient_norms(parameters);
    telemetry.weight_norms(parameters);
    telemetry.learning_rate(optimizer);
    telemetry.end_step();
  };
  EXPECT_EQ(operators_in(step), 0);
  EXPECT_FALSE(Telemetry(TelemetryOptions{}).is_on());
}

TEST(Telemetry, RefusesWhatWouldHoldTheGraph) {
  const TemporaryFolder folder;
  Telemetry telemetry({.folder = folder.path(), .every = 1});
  telemetry.begin_step(0);
  const torch::Tensor loss = torch::ones({}, torch::requires_grad()) * 2;
  const auto refused = [&](const torch::Tensor& value) -> std::string {
    try {
      telemetry.scalar("loss", value);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused(loss), HasSubstr("loss has a grad_fn"));
  EXPECT_THAT(refused(torch::ones({3})), HasSubstr("3 elements"));
  EXPECT_EQ(refused(loss.detach()), "");
}

}  // namespace
}  // namespace stepgate
