// Which side of a pair runs first.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace stepgate {

/// For each of `pairs` pairs whether head runs before base. The draws are fair and independent
/// (docs/design/verdicts.md, "Pairs"), so noise over time cannot favour a side. They come from std::mt19937_64, seeded
/// with `seed` and the bytes of `stream` (the name of the case or of its control), and are the same on every machine. A
/// longer plan begins with the draws of a shorter one.
std::vector<bool> head_first_orders(std::uint64_t seed, std::string_view stream, std::int64_t pairs);

/// Index of the case that serves as control, 0 to cases - 1: rotates with the seed. Throws std::domain_error for no
/// case.
std::size_t control_case(std::uint64_t seed, std::size_t cases);

}  // namespace stepgate
