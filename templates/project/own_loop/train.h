// The training of this project: called by its program and by its perftest.
#pragma once

#include <c10/core/Device.h>
#include <stepgate/step_marks.h>

#include <cstdint>

struct TrainOptions {
  c10::Device device = c10::kCPU;
  std::uint64_t seed = 1;
  std::int64_t epochs = 1;
  std::int64_t show_every = 0;  ///< steps between two lines about throughput; 0: none
};

void train(stepgate::StepMarks& marks, const TrainOptions& options);
