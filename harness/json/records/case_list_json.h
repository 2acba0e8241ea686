// What a perftest program prints for --list --json: its cases with what they declare.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate {

/// The parameters that a case declares, by name; absent where the list does not have the case. Throws Error(measure)
/// naming `source` where the text is no such list.
std::optional<std::map<std::string, std::string>> declared_params(std::string_view text, const std::string& source,
                                                                  std::string_view case_name);

}  // namespace stepgate
