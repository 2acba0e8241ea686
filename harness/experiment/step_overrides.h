// What --steps asks for.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace stepgate {

/// "e2e=60,window=10" by name; what is not named stays as the case declares it. Throws Error(usage) naming the key for
/// unknown keys and counts below 1.
std::map<std::string, std::int64_t> parse_steps(const std::string& text);

}  // namespace stepgate
