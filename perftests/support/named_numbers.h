// The parameters of a workload by name. A case declares them, a record shows them and a sweep varies them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// One parameter: the field that it sets, and its valid range.
struct NamedNumber {
  std::string_view name;
  std::int64_t* value = nullptr;
  std::int64_t least = 1;
  std::int64_t most = 1'000'000'000;
};

/// As Case::params: every name with its value in digits.
std::map<std::string, std::string> params_of(const std::vector<NamedNumber>& numbers);

/// Sets the parameters in `params`. Throws std::invalid_argument, with the workload's name first, for an unknown
/// parameter (listing the known ones) and for a value that is not a whole number in the range.
void set_params(std::string_view workload, const std::vector<NamedNumber>& numbers,
                const std::map<std::string, std::string>& params);

}  // namespace stepgate
