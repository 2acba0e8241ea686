#include "measure/step/inference/torch_inference_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "core/error.h"
#include "measure/step/torch_loop_records.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::SizeIs;

enum class Slip { no, records_a_graph, trains, gives_nothing, keeps_answers, tells_its_number, answers_minus_infinity };

class Classifier final : public InferenceWorkload {
 public:
  explicit Classifier(Slip slip)
      : slip_(slip),
        images_(torch::randn({4, 16})),
        net_(torch::nn::Linear(16, 32), torch::nn::Dropout(0.5), torch::nn::Linear(32, 10)) {
    if (slip_ != Slip::trains) net_->eval();
  }

  Batch next_batch() override { return {.tensors = {images_}, .samples = 4}; }
  torch::Tensor infer(const Batch& batch) override {
    if (slip_ == Slip::gives_nothing) return {};
    if (slip_ == Slip::answers_minus_infinity) return torch::full({1}, -std::numeric_limits<float>::infinity());
    const torch::AutoGradMode grad(slip_ == Slip::records_a_graph || slip_ == Slip::keeps_answers);
    return net_->forward(batch.tensors[0]);
  }
  void post(const torch::Tensor& answer) override {
    labels_ = answer.argmax(-1);
    token_done();
    token_done();
  }
  void log_step(std::int64_t /*step*/, const torch::Tensor& answer) override {
    if (slip_ == Slip::keeps_answers) kept_.push_back(answer);
  }
  torch::Tensor guarded_number(const torch::Tensor& answer) override {
    if (slip_ == Slip::answers_minus_infinity) return torch::ones({});
    return slip_ == Slip::tells_its_number ? torch::full({}, answer.size(0)) : torch::Tensor();
  }
  std::vector<TrainingModule> training_modules() const override { return stepgate::training_modules(*net_); }
  std::vector<torch::Tensor> parameters() const override { return net_->parameters(); }

 private:
  Slip slip_;
  torch::Tensor images_;
  torch::nn::Sequential net_;
  torch::Tensor labels_;
  std::vector<torch::Tensor> kept_;
};

Case classifier(Slip slip = Slip::no) {
  return {.name = "toy/classifier/tiny",
          .make = [slip](const CaseContext&) { return std::make_unique<Classifier>(slip); },
          .steps = {.e2e = 10,
                    .window = 5,
                    .requests = 12,
                    .phase = 3,
                    .synthetic = 5,
                    .loader = 5,
                    .logging = 20,
                    .counts = 3,
                    .memory = 4,
                    .numerics = 3,
                    .exact_warmup = 2,
                    .warmup_cap = 20}};
}

const RunRecord& timed_answers() {
  static const RunRecord record = record_of(classifier(), Group::timed);
  return record;
}

const RunRecord& exact_answers() {
  static const RunRecord record = record_of(classifier(), Group::exact);
  return record;
}

TEST(InferenceStep, HasTheBoundariesOfARequest) {
  EXPECT_THAT(timed_answers().boundaries.names(), ElementsAre("data_wait", "h2d", "infer", "post", "logging"));
  EXPECT_THAT(timed_answers().absent, Contains(Key("backward_ns")));
  EXPECT_THAT(timed_answers().timed.at("e2e").steps, SizeIs(10));
}

TEST(InferenceStep, TimesItsRequestsAndTheirTokens) {
  const ClosedLoop& loop = timed_answers().requests.value();
  EXPECT_THAT(loop.latency_ns, SizeIs(12));
  EXPECT_THAT(loop.latency_ns, Each(Gt(0)));
  EXPECT_THAT(loop.boundary_ns.at("infer"), SizeIs(12));
  EXPECT_EQ(loop.samples, 48);
  EXPECT_EQ(loop.tokens.tokens, 24);
  EXPECT_THAT(loop.tokens.first_ns, SizeIs(12));
  for (std::size_t i = 0; i < 12; ++i) EXPECT_LE(loop.tokens.first_ns[i], loop.latency_ns[i]);
  EXPECT_THAT(timed_answers().absent, Not(Contains(Key("latency_mean_ns"))));
  EXPECT_THAT(timed_answers().absent.at("open_latency_mean_ns"), HasSubstr("request_rate_per_s"));
}

TEST(InferenceStep, SeesThatNothingIsWrong) {
  for (const RunRecord* record : {&timed_answers(), &exact_answers()}) {
    const InferenceFacts& facts = record->inference.value();
    EXPECT_GT(facts.answers, 0);
    EXPECT_EQ(facts.graph_answers, 0);
    EXPECT_THAT(facts.training_modules.value(), IsEmpty());
  }
  EXPECT_THAT(exact_answers().counts->per_step.at("training_modules"), ElementsAre(0, 0, 0));
  EXPECT_THAT(exact_answers().counts->per_step.at("graph_answers_per_step"), ElementsAre(0, 0, 0));
  EXPECT_THAT(exact_answers().counts->per_step.at("autograd_nodes_per_step"), Each(0));
}

TEST(InferenceStep, NamesTheModulesThatComputeInTrainMode) {
  const RunRecord record = record_of(classifier(Slip::trains), Group::exact);
  EXPECT_THAT(record.inference->training_modules.value(), ElementsAre(TrainingModule{"1", "Dropout"}));
  EXPECT_THAT(record.counts->per_step.at("training_modules"), ElementsAre(1, 1, 1));
}

TEST(InferenceStep, CountsAnswersThatHoldTheirGraph) {
  const RunRecord record = record_of(classifier(Slip::records_a_graph), Group::exact);
  EXPECT_GT(record.inference->graph_answers, 0);
  EXPECT_EQ(record.inference->graph_answers, record.inference->answers);
  EXPECT_THAT(record.counts->per_step.at("graph_answers_per_step"), ElementsAre(1, 1, 1));
  EXPECT_EQ(record.counts->by_boundary.at("graph_answers_per_step").at("infer"), 3);
  EXPECT_THAT(record.counts->per_step.at("autograd_nodes_per_step"), Each(Gt(0)));
}

TEST(InferenceStep, CountsAndMeasuresARequestAsAStep) {
  const RunRecord& record = exact_answers();
  EXPECT_GT(record.counts->by_boundary.at("operators_per_step").at("infer"), 0);
  EXPECT_GT(record.counts->by_boundary.at("operators_per_step").at("post"), 0);
  EXPECT_GT(record.memory->peak_by_boundary.at("infer"), 0);
  const auto& resident = record.memory->series.at("resident_bytes");
  EXPECT_THAT(resident, Each(resident.front()));
}

TEST(InferenceStep, ALeakPerRequestGrowsWhatStaysAlive) {
  const RunRecord record = record_of(classifier(Slip::keeps_answers), Group::exact);
  const auto& resident = record.memory->series.at("resident_bytes");
  EXPECT_TRUE(std::is_sorted(resident.begin(), resident.end()));
  EXPECT_GT(resident.back(), resident.front());
  EXPECT_GT(record.counts->per_step.at("held_graphs_per_step").back(), 0);
}

TEST(InferenceStep, GuardsANumberOfEachAnswer) {
  EXPECT_THAT(exact_answers().numerics->loss, SizeIs(3));
  EXPECT_EQ(exact_answers().numerics->loss[0], exact_answers().numerics->loss[2]) << "the same request";
  EXPECT_NE(exact_answers().numerics->loss[0], 0);
  EXPECT_THAT(exact_answers().numerics->grad_norm, IsEmpty());
  EXPECT_THAT(exact_answers().absent, Contains(Key("grad_norm")));
  EXPECT_THAT(record_of(classifier(Slip::tells_its_number), Group::exact).numerics->loss, Each(4));
}

/// The score of an answer that cannot be may be minus infinity; the number that stands for it is guarded alone.
TEST(InferenceStep, WatchesAnAnswerOfOneElementAsNoLossBesideItsNumber) {
  const RunRecord timed = record_of(classifier(Slip::answers_minus_infinity), Group::timed);
  EXPECT_THAT(timed.losses, IsEmpty());
  const RunRecord exact = record_of(classifier(Slip::answers_minus_infinity), Group::exact);
  EXPECT_THAT(exact.losses, IsEmpty());
  EXPECT_THAT(exact.numerics->loss, Each(1));
}

TEST(InferenceStep, RefusesAnAnswerThatIsNone) {
  EXPECT_THAT(complaint(classifier(Slip::gives_nothing)), HasSubstr("InferenceWorkload::infer returned an undefined"));
}

TEST(AnswerNumber, ChangesWithAnyElementAndWithTheirOrder) {
  const torch::Tensor answer = torch::tensor({1.0F, 2.0F, 3.0F});
  const double number = answer_number(answer).item<double>();
  EXPECT_NE(answer_number(torch::tensor({1.0F, 2.0F, 4.0F})).item<double>(), number);
  EXPECT_NE(answer_number(torch::tensor({2.0F, 1.0F, 3.0F})).item<double>(), number);
  EXPECT_DOUBLE_EQ(number, (1 * 1 + 2 * 1.125 + 3 * 1.25) / 3);
}

TEST(AnswerNumber, TakesWhateverAnAnswerMayBe) {
  EXPECT_EQ(answer_number(torch::tensor({7}, torch::kInt64)).item<double>(), 7);
  EXPECT_EQ(answer_number(torch::tensor({true}, torch::kBool)).item<double>(), 1);
  EXPECT_EQ(answer_number(torch::empty({0})).item<double>(), 0);
  EXPECT_EQ(answer_number(torch::complex(torch::ones({1}), torch::ones({1}))).item<double>(), (1 + 1.125) / 2);
  EXPECT_FALSE(answer_number(torch::ones({1}, torch::requires_grad())).requires_grad());
}

}  // namespace
}  // namespace stepgate
