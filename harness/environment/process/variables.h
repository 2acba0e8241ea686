// Environment variables by name.
#pragma once

#include <map>
#include <string>

namespace stepgate {

using Variables = std::map<std::string, std::string>;

}  // namespace stepgate
