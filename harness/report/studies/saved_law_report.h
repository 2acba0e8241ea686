// The law of saved bytes as text: `stepgate sweep CASE --law saved_bytes`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/study/saved_law.h"

namespace stepgate {

/// "saved bytes per token = 17 168 + 0 T exactly, and 4 bytes a step": T is the length of a sequence in tokens.
std::string law_text(const SavedLaw& law);

/// What a person asks of the law.
struct SavedLawQuestion {
  std::optional<std::int64_t> memory_bytes = std::nullopt;  ///< which batch fits in so much
  std::optional<std::int64_t> most_growth = std::nullopt;   ///< the law may grow by so much per token of length
};

/// The measured sizes, fewest bytes per token first, the law or why there is none, and the answers.
std::string render_saved_law(const SavedLawStudy& study, const SavedLawQuestion& question);

}  // namespace stepgate
