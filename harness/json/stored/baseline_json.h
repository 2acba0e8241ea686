// A baseline as a document (schemas/baseline.schema.json), in its canonical form (docs/design/baselines_and_policy.md,
// "Canonical form"): fixed key order, LF, units in key names, integers for bytes and counts, five significant digits
// for timed values, finite numbers only.
#pragma once

#include <string>
#include <string_view>

#include "core/stored/baseline.h"

namespace stepgate {

/// The canonical text: equal baselines give equal bytes, and to_text(baseline_from_text(t)) == t for a t made here.
/// Throws Error(baseline) naming the key of a non-finite number.
std::string to_text(const Baseline& baseline);

/// Strict: unknown or missing keys, unknown metrics, metrics of another tier, wrong types, non-finite numbers, a
/// truncated text and git conflicts all throw an Error(baseline) that names `source` and the key.
Baseline baseline_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
