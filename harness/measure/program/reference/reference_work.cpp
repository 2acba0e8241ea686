#include "measure/program/reference/reference_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace stepgate {
namespace {

// The rules are part of every baseline with a reference case on a GPU: a change needs a new version of the case.
constexpr double least_product_s = 5e-3;
constexpr double highest_clock_hz = 3e9;    // above the boost clock of every GPU so far: 2.9 GHz
constexpr std::int64_t matrix_side = 2048;  // 256 tiles of 128 x 128: two for each multiprocessor of a large GPU
constexpr std::int64_t least_products = 2;
constexpr std::int64_t copies = 4;
constexpr std::int64_t l2_sizes = 4;
constexpr std::int64_t least_copied_bytes = 16 << 20;
constexpr std::int64_t share_of_memory = 16;

/// Float32 lanes of a multiprocessor, for this compute capability and later ones up to the next row.
struct LaneRow {
  std::int64_t major;
  std::int64_t minor;
  std::int64_t lanes;
};
constexpr std::array lane_table = {
    LaneRow{0, 0, 192}, LaneRow{5, 0, 128}, LaneRow{6, 0, 64},  LaneRow{6, 1, 128},  LaneRow{7, 0, 64},
    LaneRow{8, 0, 64},  LaneRow{8, 6, 128}, LaneRow{9, 0, 128}, LaneRow{12, 2, 256},
};

std::int64_t lanes_of(const GpuProperties& gpu) {
  std::int64_t lanes = lane_table.front().lanes;
  for (const LaneRow& row : lane_table) {
    const bool reached =
        gpu.compute_major > row.major || (gpu.compute_major == row.major && gpu.compute_minor >= row.minor);
    if (reached) lanes = row.lanes;
  }
  return lanes;
}

double flops_of_product(std::int64_t side) { return 2.0 * std::pow(static_cast<double>(side), 3); }

struct NamedAmount {
  std::string_view name;
  std::int64_t ReferenceWork::*amount;
  std::int64_t least;
};
constexpr std::array amounts = {NamedAmount{"matrix_side", &ReferenceWork::matrix_side, 1},
                                NamedAmount{"products", &ReferenceWork::products, least_products},
                                NamedAmount{"copied_bytes", &ReferenceWork::copied_bytes, 1},
                                NamedAmount{"copies", &ReferenceWork::copies, 1}};

std::int64_t whole_number(const NamedAmount& wanted, const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= wanted.least) return value;
  throw std::invalid_argument(
      fmt::format("reference case: {}={} is not a whole number of at least {}", wanted.name, text, wanted.least));
}

}  // namespace

ReferenceWork reference_work_on(const GpuProperties& gpu) {
  const double rate = 2.0 * highest_clock_hz * static_cast<double>(lanes_of(gpu) * gpu.multiprocessors);
  const auto products = static_cast<std::int64_t>(std::ceil(least_product_s * rate / flops_of_product(matrix_side)));
  const std::int64_t copied = std::max(least_copied_bytes, l2_sizes * gpu.l2_bytes);
  const std::int64_t most_copied = std::max(least_copied_bytes, gpu.memory_bytes / share_of_memory);
  return {.matrix_side = matrix_side,
          .products = std::max(least_products, products),
          .copied_bytes = std::min(copied, most_copied),
          .copies = copies};
}

double flops_of(const ReferenceWork& work) {
  return static_cast<double>(work.products) * flops_of_product(work.matrix_side);
}

std::map<std::string, std::string> params_of(const ReferenceWork& work) {
  std::map<std::string, std::string> params;
  for (const NamedAmount& each : amounts) params[std::string(each.name)] = std::to_string(work.*each.amount);
  return params;
}

ReferenceWork reference_work_from(const std::map<std::string, std::string>& params) {
  ReferenceWork work;
  for (const NamedAmount& each : amounts) {
    const auto found = params.find(std::string(each.name));
    if (found == params.end()) throw std::invalid_argument(fmt::format("reference case: no {} is given", each.name));
    work.*each.amount = whole_number(each, found->second);
  }
  for (const auto& [name, value] : params) {
    const bool known = std::any_of(amounts.begin(), amounts.end(), [&](const auto& each) { return each.name == name; });
    if (!known) throw std::invalid_argument(fmt::format("reference case: there is no parameter {}", name));
  }
  return work;
}

}  // namespace stepgate
