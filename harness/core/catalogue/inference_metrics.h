// The counters that only an inference case has.
#pragma once

#include <array>

#include "core/catalogue/row_kinds.h"

namespace stepgate::catalogue {

inline constexpr std::array inference_metrics = {
    from_zero(counted("training_modules", count, "modules in train mode",
                      "the model computes as in training: call model->eval() before the first request.")),
    from_zero(counted("graph_answers_per_step", count, "answers with a graph",
                      "the request records a graph that no backward uses: run it under torch::NoGradGuard or "
                      "torch::InferenceMode.")),
};

}  // namespace stepgate::catalogue
