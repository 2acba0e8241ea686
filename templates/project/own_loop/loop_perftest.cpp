// The project's own training loop under the gate.
#include <stepgate/perftest.h>

#include "train.h"

int main(int argc, char** argv) {
  const auto loop = [](stepgate::StepMarks& marks, const stepgate::CaseContext& context) {
    // As many epochs as the passes need.
    train(marks, {.device = context.device, .seed = context.seed, .epochs = 1'000'000});
  };
  return stepgate::run_perftest(argc, argv, {{.name = "mine/loop/tiny", .loop = loop}});
}
