// What a process holds, by kind and name: the answer to "which of them became more?".
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace stepgate {

struct HeldThing {
  std::string kind;  ///< "socket"; "" where all are of one kind
  std::string name;  ///< a path or a name; "" where it has none
  auto operator<=>(const HeldThing&) const = default;
};

/// Each with its number or its bytes.
using HeldThings = std::map<HeldThing, std::int64_t>;

/// The kind that rose most from `before` to `after`, and of it the name that rose most. Absent where none rose.
std::optional<HeldThing> what_rose(const HeldThings& before, const HeldThings& after);

}  // namespace stepgate
