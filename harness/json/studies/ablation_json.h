// An ablation as a document: ablation.json (schemas/ablation.schema.json). It holds every pair, so that later rules can
// judge it again.
#pragma once

#include <string>
#include <string_view>

#include "core/study/ablation.h"

namespace stepgate {

/// Throws Error(measure) naming the key of a number that is not finite.
std::string to_text(const Ablation& ablation);

/// Ignores unknown keys. Throws Error(measure) naming `source` and the key.
Ablation ablation_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
