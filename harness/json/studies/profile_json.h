// A profile as a document: profile.json (schemas/profile.schema.json).
#pragma once

#include <string>
#include <string_view>

#include "core/study/profile.h"

namespace stepgate {

/// Throws Error(measure) naming the key of a number that is not finite.
std::string to_text(const Profile& profile);

/// Ignores unknown keys. Throws Error(measure) naming `source` and the key.
Profile profile_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
