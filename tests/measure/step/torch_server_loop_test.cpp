// A loop of one's own that answers requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/script.h>

#include <functional>
#include <sstream>
#include <string>
#include <utility>

#include "measure/step/torch_loop_records.h"
#include "stepgate/training_modules.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::SizeIs;

struct ServerPlan {
  bool copies = true;
  bool marks_post = true;
  bool tells_modules = true;
  bool evaluates = true;
  bool guards = true;  ///< runs without a graph
  std::function<void(StepMarks&, std::int64_t request)> in_infer = {};
};

void serve(StepMarks& marks, const ServerPlan& plan) {
  const torch::Tensor request = torch::randn({4, 16});
  torch::nn::Sequential net(torch::nn::Linear(16, 32), torch::nn::Dropout(0.5), torch::nn::Linear(32, 10));
  if (plan.evaluates) net->eval();
  marks.parameters(net->parameters());
  if (plan.tells_modules) marks.training_modules([&] { return training_modules(*net); });
  std::int64_t number = 0;
  while (marks.next_step()) {
    const torch::Tensor input = request.clone();
    marks.loaded({.samples = 4});
    if (plan.copies) marks.copied({input});
    const torch::AutoGradMode grad(!plan.guards);
    const torch::Tensor answer = net->forward(input);
    if (plan.in_infer) plan.in_infer(marks, number);
    marks.infer_done(answer);
    marks.token_done();
    if (plan.marks_post) {
      static_cast<void>(answer.argmax(1));
      marks.answer_done();
    }
    ++number;
  }
}

Case server(const ServerPlan& plan = {}) {
  Case server{.name = "toy/server/tiny", .loop = [plan](StepMarks& marks, const CaseContext&) { serve(marks, plan); }};
  server.steps = {.e2e = 10,
                  .window = 5,
                  .requests = 12,
                  .phase = 3,
                  .counts = 3,
                  .memory = 4,
                  .numerics = 3,
                  .exact_warmup = 2,
                  .warmup_cap = 20};
  return server;
}

TEST(ServerLoop, TimesItsRequestsAndTheirTokens) {
  const RunRecord record = record_of(server(), Group::timed);
  const ClosedLoop& loop = record.requests.value();
  EXPECT_THAT(loop.latency_ns, SizeIs(12));
  EXPECT_THAT(loop.boundary_ns, SizeIs(4)) << "data_wait, h2d, infer, post";
  EXPECT_THAT(loop.boundary_ns.at("infer"), SizeIs(12));
  EXPECT_EQ(loop.tokens.tokens, 12);
  EXPECT_EQ(loop.samples, 48);
  EXPECT_THAT(record.absent.at("forward_ns"), HasSubstr("answers requests"));
  EXPECT_GT(record.inference->answers, 0);
}

TEST(ServerLoop, CountsARequestAndGuardsItsAnswer) {
  const RunRecord record = record_of(server(), Group::exact);
  EXPECT_GT(record.counts->by_boundary.at("operators_per_step").at("infer"), 0);
  EXPECT_THAT(record.counts->per_step.at("training_modules"), ElementsAre(0, 0, 0));
  EXPECT_THAT(record.counts->per_step.at("graph_answers_per_step"), ElementsAre(0, 0, 0));
  EXPECT_THAT(record.numerics->loss, SizeIs(3));
  EXPECT_EQ(record.numerics->loss[0], record.numerics->loss[2]);
  EXPECT_THAT(record.numerics->grad_norm, IsEmpty());
  EXPECT_THAT(record.inference->training_modules.value(), IsEmpty());
}

TEST(ServerLoop, ShowsTrainModeAndGraphs) {
  const RunRecord record = record_of(server({.evaluates = false, .guards = false}), Group::exact);
  EXPECT_THAT(record.inference->training_modules.value(), ElementsAre(TrainingModule{"1", "Dropout"}));
  EXPECT_EQ(record.inference->graph_answers, record.inference->answers);
  EXPECT_THAT(record.counts->per_step.at("training_modules"), Each(1));
  EXPECT_THAT(record.counts->per_step.at("graph_answers_per_step"), Each(1));
}

TEST(ServerLoop, ThatTellsNoModulesHasNoCountOfThem) {
  const RunRecord record = record_of(server({.tells_modules = false}), Group::exact);
  EXPECT_FALSE(record.inference->training_modules);
  EXPECT_THAT(record.counts->per_step, Not(Contains(Key("training_modules"))));
  EXPECT_THAT(record.absent.at("training_modules"), HasSubstr("marks.training_modules()"));
}

TEST(ServerLoop, NeedsNeitherCopiedNorAnswerDone) {
  const RunRecord record = record_of(server({.copies = false, .marks_post = false}), Group::timed);
  EXPECT_THAT(record.requests->latency_ns, SizeIs(12));
  EXPECT_THAT(record.requests->boundary_ns, Not(Contains(Key("post"))));
}

/// The file of a model in TorchScript: a linear layer without a bias.
std::string script_file() {
  torch::jit::Module model{c10::QualifiedName("__torch__.Layer")};
  model.register_attribute("training", c10::BoolType::get(), true);
  model.register_parameter("weight", torch::ones({16, 10}), /*is_buffer=*/false);
  model.define("def forward(self, x):\n  return torch.matmul(x, self.weight)\n");
  std::ostringstream file;
  model.save(file);
  return file.str();
}

TEST(ServerLoop, AroundATorchScriptFileIsACase) {
  Case scripted = server();
  scripted.loop = [file = script_file()](StepMarks& marks, const CaseContext&) {
    std::istringstream stream(file);
    torch::jit::Module model = torch::jit::load(stream);
    model.eval();
    const torch::NoGradGuard no_grad;
    marks.training_modules([&] { return training_modules(model); });
    const torch::Tensor request = torch::ones({4, 16});
    while (marks.next_step()) {
      marks.loaded({.samples = 4});
      marks.copied({request});
      marks.infer_done(model.forward({request}).toTensor());
      marks.answer_done();
    }
  };
  const RunRecord timed = record_of(scripted, Group::timed);
  EXPECT_THAT(timed.requests->latency_ns, SizeIs(12));
  const RunRecord exact = record_of(scripted, Group::exact);
  EXPECT_THAT(exact.inference->training_modules.value(), IsEmpty());
  EXPECT_EQ(exact.inference->graph_answers, 0);
  EXPECT_GT(exact.numerics->loss.front(), 0);
}

TEST(ServerLoop, CannotTrainAsWell) {
  const auto trains = [](StepMarks& marks, std::int64_t) {
    marks.forward_done(torch::ones({}, torch::requires_grad()));
  };
  EXPECT_THAT(complaint(server({.in_infer = trains})), HasSubstr("marks.infer_done() after marks.forward_done()"));
}

TEST(ServerLoop, CannotGoOnToTrain) {
  using Train = void (*)(StepMarks&);
  const std::pair<const char*, Train> trainings[] = {
      {"marks.forward_done()", [](StepMarks& marks) { marks.forward_done(torch::ones({}, torch::requires_grad())); }},
      {"marks.backward_done()", [](StepMarks& marks) { marks.backward_done(); }},
      {"marks.optimizer_done()", [](StepMarks& marks) { marks.optimizer_done(); }}};
  for (const auto& [mark, train] : trainings) {
    Case both = server();
    both.loop = [train = train](StepMarks& marks, const CaseContext&) {
      while (marks.next_step()) {
        marks.loaded({.samples = 1});
        marks.infer_done(torch::ones({1}));
        train(marks);
      }
    };
    EXPECT_THAT(complaint(both),
                HasSubstr(std::string("step 0: the loop called ") + mark + ", and it answers requests"));
  }
}

TEST(ServerLoop, MarksNothingBeforeItsFirstStep) {
  Case early = server();
  early.loop = [](StepMarks& marks, const CaseContext&) { marks.infer_done(torch::ones({1})); };
  EXPECT_THAT(complaint(early), HasSubstr("called marks.infer_done() before marks.next_step()"));
  early.loop = [](StepMarks& marks, const CaseContext&) { marks.answer_done(); };
  EXPECT_THAT(complaint(early), HasSubstr("called marks.answer_done() before marks.next_step()"));
}

TEST(ServerLoop, HasAnAnswerBeforeItIsDone) {
  Case empty = server();
  empty.loop = [](StepMarks& marks, const CaseContext&) {
    while (marks.next_step()) {
      marks.loaded({.samples = 1});
      marks.answer_done();
    }
  };
  EXPECT_THAT(complaint(empty), HasSubstr("called marks.answer_done() before marks.infer_done()"));
}

TEST(ServerLoop, AnswersFromItsFirstStepOn) {
  Case late = server();
  late.loop = [](StepMarks& marks, const CaseContext&) {
    const torch::Tensor loss = torch::ones({}, torch::requires_grad());
    for (int step = 0; marks.next_step(); ++step) {
      marks.loaded({.samples = 1});
      step == 0 ? marks.forward_done(loss) : marks.infer_done(loss);
    }
  };
  EXPECT_THAT(complaint(late), HasSubstr("called marks.infer_done(), which its first step did not"));
}

TEST(ServerLoop, NamesItsOwnMarksInWhatItComplainsAbout) {
  const auto twice = [](StepMarks& marks, std::int64_t) { marks.infer_done(torch::ones({1})); };
  EXPECT_THAT(complaint(server({.in_infer = twice})), HasSubstr("called marks.infer_done() a second time"));
}

}  // namespace
}  // namespace stepgate
