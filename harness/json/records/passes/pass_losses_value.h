// Losses of every pass that runs whole steps, inside run records. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/pass_losses.h"
#include "json/text/reader.h"

namespace stepgate {

/// Values that are not finite are kept, as the texts "nan", "inf", "-inf".
Json value_of(const PassLosses& losses);
PassLosses pass_losses_at(Reader reader);

}  // namespace stepgate
