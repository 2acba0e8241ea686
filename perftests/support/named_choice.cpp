#include "support/named_choice.h"

#include <algorithm>
#include <stdexcept>

namespace stepgate {

std::optional<std::size_t> take_choice(const NamedChoice& choice, std::map<std::string, std::string>& params) {
  const auto given = params.extract(std::string(choice.name));
  if (given.empty()) return std::nullopt;
  const auto word = std::ranges::find(choice.words, given.mapped());
  if (word != choice.words.end()) return static_cast<std::size_t>(word - choice.words.begin());
  std::string known;
  for (const std::string_view each : choice.words) known.append(known.empty() ? "" : " or ").append(each);
  throw std::invalid_argument(std::string(choice.workload) + ": parameter " + std::string(choice.name) + " must be " +
                              known + ", got \"" + given.mapped() + "\"");
}

}  // namespace stepgate
