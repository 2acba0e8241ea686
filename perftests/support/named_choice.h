// Parameters of a workload that take one of a few words, beside those that are numbers (named_numbers.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// A parameter and its words.
struct NamedChoice {
  std::string_view workload;  ///< for messages
  std::string_view name;
  std::vector<std::string_view> words;
};

/// Takes the parameter out of `params`: the place of its word in `words`, absent if it is not given. Throws
/// std::invalid_argument, listing the words, for another value.
std::optional<std::size_t> take_choice(const NamedChoice& choice, std::map<std::string, std::string>& params);

}  // namespace stepgate
