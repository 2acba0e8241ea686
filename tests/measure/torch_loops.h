// A training loop as a user writes it, over the net of torch_toys.h, with faults for tests.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "stepgate/perftest.h"

namespace stepgate {

struct LoopPlan {
  bool gives_parameters = true;
  bool marks_copied = true;
  bool gives_tensors = true;
  bool marks_backward = true;
  bool extra_operator = false;                                ///< one sigmoid in the forward
  bool keeps_losses = false;                                  ///< in a list, with their graphs, while logging
  bool ignores_the_end = false;                               ///< continues training after next_step() returned false
  std::int64_t own_steps = -1;                                ///< ends by itself after this many steps; -1: never
  std::function<void(std::int64_t step)> in_backward = {};    ///< called before backward
  std::function<void(StepMarks&, std::int64_t)> at_end = {};  ///< called at the end of each step, with its number
  std::function<void()> behind_loop = {};
};

/// The steps of toy_mlp(): same initial weights, data, operators and losses.
void train_mlp(StepMarks& marks, const LoopPlan& plan);

/// A generator and a discriminator with an optimizer each, as an update of each in every step.
struct GanPlan {
  std::string name = "discriminator";                         ///< of the boundary that ends its update
  std::int64_t discriminator_steps = 1;                       ///< updates of it in a step
  std::int64_t misses_in_step = -1;                           ///< a step that does not mark the boundary
  std::int64_t no_loss_in_step = -1;                          ///< a step that gives the boundary no loss
  std::function<void(StepMarks&, std::int64_t)> at_end = {};  ///< called before the end of each step, with its number
};
Case toy_gan(const GanPlan& plan = {});

/// "toy/loop/tiny", with few steps.
Case toy_loop(const LoopPlan& plan = {});

}  // namespace stepgate
