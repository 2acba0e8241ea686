// Saved tensors beside an engine of autograd that the program brings, as Python does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/anomaly_mode.h>
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "measure/device/device_side.h"
#include "measure/device/work/forwarding_engine.h"
#include "measure/device/work/saved_tensors.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using torch::autograd::Engine;

using Hooks = std::unique_ptr<torch::autograd::SavedVariableHooks>;

/// Keeps what `pack` returns, and gives back what `unpack` makes of it.
class HooksOfTheUser final : public torch::autograd::SavedVariableHooks {
 public:
  using Change = std::function<torch::Tensor(const torch::Tensor&)>;
  HooksOfTheUser(Change pack, Change unpack) : pack_(std::move(pack)), unpack_(std::move(unpack)) {}
  void call_pack_hook(const at::Tensor& tensor) override { packed_ = pack_(tensor); }
  at::Tensor call_unpack_hook() override { return unpack_(packed_); }

 private:
  Change pack_;
  Change unpack_;
  torch::Tensor packed_;
};

/// Differs from LibTorch's own engine in its hooks, and counts what reaches it.
class EngineOfTheProgram final : public Engine {
 public:
  torch::autograd::variable_list execute(const torch::autograd::edge_list& roots,
                                         const torch::autograd::variable_list& inputs, bool keep_graph,
                                         bool create_graph, bool accumulate_grad,
                                         const torch::autograd::edge_list& outputs) override {
    ++backwards;
    return Engine::execute(roots, inputs, keep_graph, create_graph, accumulate_grad, outputs);
  }
  std::unique_ptr<torch::autograd::AnomalyMetadata> make_anomaly_metadata() override {
    ++metadata;
    return Engine::make_anomaly_metadata();
  }
  Hooks get_default_saved_variable_hooks() override { return hooks ? hooks() : nullptr; }

  std::int64_t backwards = 0;
  std::int64_t metadata = 0;
  std::function<Hooks()> hooks;
};

EngineOfTheProgram& program_engine() {
  static EngineOfTheProgram engine;
  return engine;
}
Engine& program_engine_stub() { return program_engine(); }

/// An engine that keeps the one that it found below it: that of the first call.
Engine& engine_above_another() {
  static ForwardingEngine engine(Engine::get_default_engine());
  return engine;
}

/// The default engine belongs to the process, so each test gives LibTorch's own back.
class OtherEngine : public testing::Test {
 protected:
  void SetUp() override { TearDown(); }
  void TearDown() override {
    torch::autograd::set_default_engine_stub(Engine::get_base_engine);
    program_engine().backwards = 0;
    program_engine().metadata = 0;
    program_engine().hooks = nullptr;
  }
  static void set_engine() { torch::autograd::set_default_engine_stub(program_engine_stub); }
  static void set_hooks(HooksOfTheUser::Change pack, HooksOfTheUser::Change unpack) {
    program_engine().hooks = [pack = std::move(pack), unpack = std::move(unpack)] {
      return std::make_unique<HooksOfTheUser>(pack, unpack);
    };
  }
};

constexpr std::int64_t activation_bytes = 4 * 8 * 4;

/// Sigmoid saves its result, of 4 x 8 floats. The gradient is that of ones.
struct SavedOnce {
  SavedTotals totals;
  torch::Tensor gradient;
  std::string absent;
};
SavedOnce saved_by_a_sigmoid() {
  const torch::Tensor x = torch::ones({4, 8}).requires_grad_(true);
  SavedTensors saved([](std::int64_t) { return "aten::sigmoid"; });
  saved.start({});
  (x * 2).sigmoid().sum().backward();
  SavedOnce result{saved.totals(), x.grad(), ""};
  saved.stop();
  result.absent = saved.absent();
  return result;
}

torch::Tensor gradient_of_ones() {
  const torch::Tensor x = torch::ones({4, 8}).requires_grad_(true);
  (x * 2).sigmoid().sum().backward();
  return x.grad();
}

TEST_F(OtherEngine, ThatWasThereRunsEachBackwardAndMakesTheMetadataOfAnomalies) {
  set_engine();
  const torch::autograd::DetectAnomalyGuard anomalies(/*check_nan=*/false);
  const SavedOnce saved = saved_by_a_sigmoid();
  EXPECT_EQ(program_engine().backwards, 1);
  EXPECT_GT(program_engine().metadata, 0);
  EXPECT_EQ(saved.totals.bytes, activation_bytes);
  EXPECT_EQ(saved.absent, "");
}

TEST_F(OtherEngine, PacksWithItsOwnHooksAndWhatTheyKeepIsCounted) {
  set_engine();
  set_hooks([](const torch::Tensor& tensor) { return (tensor * 1).to(torch::kHalf); },
            [](const torch::Tensor& packed) { return packed.to(torch::kFloat); });
  const SavedOnce saved = saved_by_a_sigmoid();
  EXPECT_EQ(saved.totals.bytes, activation_bytes / 2) << "neither the tensor nor the product that is gone";
  EXPECT_EQ(saved.totals.by_operator, (std::map<std::string, std::int64_t>{{"aten::sigmoid", activation_bytes / 2}}));
  EXPECT_TRUE(saved.gradient.allclose(gradient_of_ones(), 1e-2, 1e-2));
}

TEST_F(OtherEngine, ThatComputesATensorAnewInBackwardKeepsNothing) {
  set_engine();
  set_hooks([](const torch::Tensor&) { return torch::Tensor(); },
            [](const torch::Tensor&) {
              return (torch::ones({4, 8}) * 2).sigmoid();
            });
  const SavedOnce saved = saved_by_a_sigmoid();
  EXPECT_EQ(saved.totals.bytes, 0);
  EXPECT_TRUE(saved.gradient.allclose(gradient_of_ones()));
}

TEST_F(OtherEngine, WhoseHooksKeepTheTensorItselfKeepsItsStorage) {
  set_engine();
  const auto unchanged = [](const torch::Tensor& packed) { return packed; };
  set_hooks([](const torch::Tensor& tensor) { return tensor.detach(); }, unchanged);
  EXPECT_EQ(saved_by_a_sigmoid().totals.bytes, activation_bytes);
}

TEST_F(OtherEngine, WhoseHooksCopyIntoABufferKeepsNoMore) {
  set_engine();
  torch::Tensor buffer = torch::zeros({4, 8});
  set_hooks([&](const torch::Tensor& tensor) { return buffer.copy_(tensor); },
            [](const torch::Tensor& packed) { return packed.clone(); });
  const SavedOnce saved = saved_by_a_sigmoid();
  EXPECT_EQ(saved.totals.bytes, 0) << "the buffer lives anyway";
  EXPECT_TRUE(saved.gradient.allclose(gradient_of_ones()));
}

TEST_F(OtherEngine, WithHooksIsLeftAloneWhereNothingIsCounted) {
  set_engine();
  saved_by_a_sigmoid();
  std::int64_t packs = 0;
  set_hooks([&](const torch::Tensor& tensor) { return ++packs, tensor.detach(); },
            [](const torch::Tensor& packed) { return packed; });
  gradient_of_ones();
  EXPECT_EQ(packs, 1);
  EXPECT_EQ(program_engine().backwards, 2);
}

TEST_F(OtherEngine, ThatIsSetBetweenTwoCountsIsCountedToo) {
  saved_by_a_sigmoid();
  set_engine();
  const SavedOnce saved = saved_by_a_sigmoid();
  EXPECT_EQ(saved.totals.bytes, activation_bytes);
  EXPECT_EQ(saved.absent, "");
  EXPECT_EQ(program_engine().backwards, 1);
}

TEST_F(OtherEngine, AboveTheOneOfAnEarlierCountCountsOnce) {
  saved_by_a_sigmoid();
  engine_above_another();
  torch::autograd::set_default_engine_stub(engine_above_another);
  EXPECT_EQ(saved_by_a_sigmoid().totals.bytes, activation_bytes);
}

/// As Python's does where a first import of it comes late.
TEST_F(OtherEngine, ThatIsSetWhileStepsAreCountedMakesTheMetricAbsent) {
  const auto device = open_device("cpu");
  const auto backend = device->make_backend(nullptr);
  const auto counter = make_observed_counter(*device, *backend, [] { return std::vector<torch::Tensor>{}; });
  counter->start();
  gradient_of_ones();
  counter->totals();
  EXPECT_THAT(counter->absent(), IsEmpty());
  set_engine();
  gradient_of_ones();
  counter->totals();
  torch::autograd::set_default_engine_stub(Engine::get_base_engine);
  counter->stop();
  const auto absent = counter->absent();
  ASSERT_THAT(absent, Contains(Key(saved_bytes_metric)));
  EXPECT_THAT(absent.at(saved_bytes_metric), HasSubstr("another engine of autograd"));
}

TEST_F(OtherEngine, ThatIsSetAfterTheLastReadingIsSeenAtTheEnd) {
  SavedTensors saved([](std::int64_t) { return ""; });
  saved.start({});
  set_engine();
  EXPECT_EQ(saved.absent(), "");
  saved.stop();
  EXPECT_NE(saved.absent(), "");
}

/// A compiled backward asks for the hooks of the user, and LibTorch throws for all others unless they say there are
/// none.
TEST_F(OtherEngine, ThatCompilesBackwardSeesNoHooksWhereTheUserHasNone) {
  SavedTensors saved([](std::int64_t) { return ""; });
  saved.start({});
  const Hooks hooks = Engine::get_default_engine().get_default_saved_variable_hooks();
  ASSERT_NE(hooks, nullptr);
  EXPECT_FALSE(hooks->retrieve_unpack_hook_data().has_value());
}

}  // namespace
}  // namespace stepgate
