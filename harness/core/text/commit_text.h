// A commit id as people read and write it. Files keep the whole id, because a short one can be forged.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

/// The first 12 digits of a commit id, with its "-dirty"; any other text unchanged.
std::string short_commit(std::string_view commit);

/// Whether `text` is the id `commit`, or its first digits: at least 7 of them.
bool names_commit(std::string_view text, std::string_view commit);

}  // namespace stepgate
