#include "launch/pair_order.h"

#include <random>
#include <stdexcept>

namespace stepgate {
namespace {

std::mt19937_64 generator_for(std::uint64_t seed, std::string_view stream) {
  constexpr unsigned half_bits = 32;
  std::vector<std::uint32_t> material = {static_cast<std::uint32_t>(seed),
                                         static_cast<std::uint32_t>(seed >> half_bits)};
  for (const char c : stream) material.push_back(static_cast<unsigned char>(c));
  std::seed_seq mixed(material.begin(), material.end());
  return std::mt19937_64(mixed);
}

}  // namespace

std::vector<bool> head_first_orders(std::uint64_t seed, std::string_view stream, std::int64_t pairs) {
  std::mt19937_64 generator = generator_for(seed, stream);
  std::vector<bool> orders;
  // One bit a draw: std::bernoulli_distribution may differ between standard libraries.
  constexpr unsigned top_bit = 63;
  for (std::int64_t i = 0; i < pairs; ++i) orders.push_back((generator() >> top_bit) != 0);
  return orders;
}

std::size_t control_case(std::uint64_t seed, std::size_t cases) {
  if (cases == 0) throw std::domain_error("control_case: no case to choose from");
  return static_cast<std::size_t>(seed % cases);
}

}  // namespace stepgate
