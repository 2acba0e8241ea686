// The output of a perftest program for --list --json: its cases with their declarations.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate {

/// The parameters that a case declares, by name; absent if the list does not have the case. Throws Error(measure)
/// naming `source` if the text is not a list of cases.
std::optional<std::map<std::string, std::string>> declared_params(std::string_view text, const std::string& source,
                                                                  std::string_view case_name);

}  // namespace stepgate
