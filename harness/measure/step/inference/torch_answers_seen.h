// What was seen of the answers of an inference case, and the number that stands for an answer in the numerics pass.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/record/inference/inference_facts.h"

namespace stepgate {

struct AnswersSeen {
  std::int64_t answers = 0;
  std::int64_t graph_answers = 0;  ///< as InferenceFacts

  void note(const torch::Tensor& answer) {
    ++answers;
    if (answer.requires_grad()) ++graph_answers;
  }
  InferenceFacts with(std::optional<std::vector<TrainingModule>> modules) const {
    return {.answers = answers, .graph_answers = graph_answers, .training_modules = std::move(modules)};
  }
};

/// One number of type float64, on the host, that changes where an element of the answer does, or where two of them
/// change places within eight: the mean of its elements, the weights of which grow from 1 to 1.875 over eight elements
/// and begin again. 0 for an answer without elements.
torch::Tensor answer_number(const torch::Tensor& answer);

}  // namespace stepgate
