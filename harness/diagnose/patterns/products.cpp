// Matrix products whose form costs speed on a GPU.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

constexpr std::int64_t aligned = 8;

/// The two matrices of a product: aten::addmm and baddbmm have what they add to in front.
struct Factors {
  const ObservedTensor* left = nullptr;
  const ObservedTensor* right = nullptr;
};

Factors factors_of(const OperatorSite& site) {
  constexpr std::array<std::string_view, 2> plain = {"aten::mm", "aten::bmm"};
  constexpr std::array<std::string_view, 2> adding = {"aten::addmm", "aten::baddbmm"};
  const bool is_plain = std::find(plain.begin(), plain.end(), site.name) != plain.end();
  const bool adds = std::find(adding.begin(), adding.end(), site.name) != adding.end();
  if (is_plain && site.inputs.size() >= 2) return {&site.inputs[0], &site.inputs[1]};
  if (adds && site.inputs.size() >= 3) return {&site.inputs[1], &site.inputs[2]};
  return {};
}

bool is_unaligned(const ObservedTensor& tensor) {
  const std::size_t dimensions = tensor.sizes.size();
  return dimensions >= 2 &&
         (tensor.sizes[dimensions - 1] % aligned != 0 || tensor.sizes[dimensions - 2] % aligned != 0);
}

/// The share of misaligned products; 1 where no FLOPs are known.
double misaligned_share(const ObservedWork& work) {
  std::int64_t all = 0;
  std::int64_t misaligned = 0;
  for (const OperatorSite& site : work.sites) {
    all += site.flops;
    misaligned += site.misaligned_flops;
  }
  return all == 0 ? 1 : static_cast<double>(misaligned) / static_cast<double>(all);
}

template <typename Wanted>
std::vector<PatternMatch> products(const ObservedWork& work, Wanted wanted) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    const auto [left, right] = factors_of(site);
    if (left == nullptr || site.leaf_calls == 0 || !wanted(*left, *right)) continue;
    matches.push_back({i, calls_per_step(work, site),
                       fmt::format("{} multiplies {} by {}", site.name, tensor_text(*left), tensor_text(*right))});
  }
  return matches;
}

}  // namespace

std::vector<PatternMatch> find_unaligned_products(const ObservedWork& work) {
  if (misaligned_share(work) < least_misaligned_share) return {};
  return products(work, [](const ObservedTensor& left, const ObservedTensor& right) {
    return bytes_of_dtype(left.dtype) == 2 && (is_unaligned(left) || is_unaligned(right));
  });
}

std::vector<PatternMatch> find_float32_products(const ObservedWork& work) {
  return products(work, [](const ObservedTensor& left, const ObservedTensor& right) {
    return left.dtype == "float32" && right.dtype == "float32";
  });
}

}  // namespace stepgate
