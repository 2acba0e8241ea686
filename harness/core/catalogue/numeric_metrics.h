// The metrics whose values are compared as numbers, within a tolerance.
#pragma once

#include <array>

#include "core/catalogue/row_kinds.h"

namespace stepgate::catalogue {

inline constexpr std::array numeric_metrics = {
    Metric{"loss", MetricUnit::none, neither, Tier::numeric, true, "loss"},
    Metric{further_loss_family, MetricUnit::none, neither, Tier::numeric, true, "* loss"},
    Metric{"grad_norm", MetricUnit::none, neither, Tier::numeric, true, "gradient norm"},
    Metric{"loss_scale", MetricUnit::none, neither, Tier::numeric, true, "loss scale"},
    Metric{"final_loss", MetricUnit::none, neither, Tier::numeric, true, "final loss over seeds"},
};

}  // namespace stepgate::catalogue
