// Losses and gradient norms inside run records and baselines. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/run_record.h"
#include "json/text/reader.h"

namespace stepgate {

/// A run record keeps non-finite values (as the texts "nan", "inf", "-inf"); a baseline holds finite numbers only.
enum class NonFinite { kept, rejected };

/// With `rejected` non-finite numbers stay numbers, so that canonical_text() refuses them with their key.
Json value_of(const NumericTrace& trace, NonFinite non_finite);
NumericTrace numeric_trace_at(Reader reader, NonFinite non_finite);

}  // namespace stepgate
