// The sequences of a numerics pass by the name of their metric.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/record/run_record.h"

namespace stepgate {

/// "loss", "loss[discriminator]", "grad_norm" or "loss_scale"; nullptr where `trace` has no value for it.
const std::vector<double>* numeric_sequence(const NumericTrace& trace, std::string_view metric);

/// The metrics of which `trace` has values: "loss", further losses, "grad_norm", "loss_scale".
std::vector<std::string> numeric_metrics(const NumericTrace& trace);

/// Whether every sequence has the same values on both sides.
bool same_sequences(const NumericTrace& a, const NumericTrace& b);

}  // namespace stepgate
