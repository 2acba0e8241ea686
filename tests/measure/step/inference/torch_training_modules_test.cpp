#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/script.h>

#include <string>
#include <vector>

#include "stepgate/training_modules.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

namespace nn = torch::nn;

class Model final : public nn::Module {
 public:
  template <typename Part>
  explicit Model(const nn::ModuleHolder<Part>& part) {
    register_module("part", part.ptr());
  }
};

/// The kind of `part` in train mode where it is told; "" where it is not.
template <typename Part>
std::string told(const Part& part) {
  const Model model(part);
  const std::vector<TrainingModule> found = training_modules(model);
  if (found.empty()) return "";
  EXPECT_EQ(found.front().name, "part");
  return found.front().kind;
}

TEST(TrainingModules, AreThoseWhoseResultsDependOnTheMode) {
  EXPECT_EQ(told(nn::Dropout(0.1)), "Dropout");
  EXPECT_EQ(told(nn::AlphaDropout(0.1)), "AlphaDropout");
  EXPECT_EQ(told(nn::BatchNorm2d(4)), "BatchNorm2d");
  EXPECT_EQ(told(nn::InstanceNorm1d(nn::InstanceNorm1dOptions(4).track_running_stats(true))), "InstanceNorm1d");
  EXPECT_EQ(told(nn::LSTM(nn::LSTMOptions(4, 4).num_layers(2).dropout(0.1))), "LSTM");
  EXPECT_EQ(told(nn::RReLU()), "RReLU");
}

TEST(TrainingModules, AreNotThoseThatComputeTheSameInBoth) {
  EXPECT_EQ(told(nn::Linear(4, 4)), "");
  EXPECT_EQ(told(nn::LSTM(nn::LSTMOptions(4, 4).num_layers(2))), "") << "without dropout";
  EXPECT_EQ(told(nn::GRU(nn::GRUOptions(4, 4).dropout(0.1))), "") << "one layer has nothing to drop between";
  EXPECT_EQ(told(nn::Dropout(0.0)), "");
  EXPECT_EQ(told(nn::BatchNorm1d(nn::BatchNorm1dOptions(4).track_running_stats(false))), "");
  EXPECT_EQ(told(nn::InstanceNorm2d(4)), "");
  EXPECT_EQ(told(nn::LayerNorm(nn::LayerNormOptions({4}))), "");
}

TEST(TrainingModules, AreNamedByTheirPath) {
  nn::Sequential layers(nn::Linear(4, 4), nn::Dropout(0.5), nn::BatchNorm1d(4));
  Model model(layers);
  EXPECT_THAT(training_modules(model),
              ElementsAre(TrainingModule{"part.1", "Dropout"}, TrainingModule{"part.2", "BatchNorm1d"}));
  model.eval();
  EXPECT_THAT(training_modules(model), IsEmpty());
  layers->train();
  EXPECT_THAT(training_modules(*layers),
              ElementsAre(TrainingModule{"1", "Dropout"}, TrainingModule{"2", "BatchNorm1d"}));
}

TEST(TrainingModules, OfAModelThatIsTheModule) {
  EXPECT_THAT(training_modules(*nn::Dropout(0.5)), ElementsAre(TrainingModule{"", "Dropout"}));
}

/// As torch.jit.script() makes a module of that class, with its options as attributes.
torch::jit::Module scripted(const char* kind, const std::string& option, const c10::IValue& value) {
  torch::jit::Module part(c10::QualifiedName("__torch__.torch.nn.modules." + std::string(kind)));
  part.register_attribute("training", c10::BoolType::get(), true);
  if (!option.empty()) part.register_attribute(option, value.type(), value);
  torch::jit::Module model{c10::QualifiedName("__torch__.Model")};
  model.register_attribute("training", c10::BoolType::get(), true);
  model.register_module("part", part);
  return model;
}

TEST(TrainingModules, OfTorchScriptFollowTheClassAndItsOptions) {
  EXPECT_THAT(training_modules(scripted("Dropout", "p", 0.1)), ElementsAre(TrainingModule{"part", "Dropout"}));
  EXPECT_THAT(training_modules(scripted("Dropout", "p", 0.0)), IsEmpty());
  EXPECT_THAT(training_modules(scripted("BatchNorm2d", "track_running_stats", true)),
              ElementsAre(TrainingModule{"part", "BatchNorm2d"}));
  EXPECT_THAT(training_modules(scripted("BatchNorm2d", "track_running_stats", false)), IsEmpty());
  EXPECT_THAT(training_modules(scripted("LSTM", "dropout", 0.0)), IsEmpty());
  EXPECT_THAT(training_modules(scripted("Linear", "", {})), IsEmpty());
}

TEST(TrainingModules, OfATracedModelAreToldWithoutTheirOptions) {
  EXPECT_THAT(training_modules(scripted("Dropout", "", {})), ElementsAre(TrainingModule{"part", "Dropout"}));
}

TEST(TrainingModules, OfTorchScriptInEvalModeAreNone) {
  torch::jit::Module model = scripted("Dropout", "p", 0.1);
  model.eval();
  EXPECT_THAT(training_modules(model), IsEmpty());
}

}  // namespace
}  // namespace stepgate
