// The parameters of a workload by name: what a case declares, a record shows and a sweep varies.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// One parameter: the field of a size that it stands for, and the least value that makes sense.
struct NamedNumber {
  std::string_view name;
  std::int64_t* value = nullptr;
  std::int64_t least = 1;
  std::int64_t most = 1'000'000'000;
};

/// As Case::params: every name with its value in digits.
std::map<std::string, std::string> params_of(const std::vector<NamedNumber>& numbers);

/// Sets what `params` names. Throws std::invalid_argument, beginning with the workload's name, for a parameter that it
/// does not know (with those that it knows) and for a value that is no whole number within the limits.
void set_params(std::string_view workload, const std::vector<NamedNumber>& numbers,
                const std::map<std::string, std::string>& params);

}  // namespace stepgate
