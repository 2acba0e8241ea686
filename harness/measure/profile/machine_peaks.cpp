#include "measure/profile/machine_peaks.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "measure/profile/call_time.h"

namespace stepgate {
namespace {

constexpr std::int64_t product_budget_ns = 60'000'000;
constexpr std::int64_t slow_product_ns = 100'000'000;  ///< products that take longer are left out
constexpr std::int64_t level_budget_ns = 10'000'000;
constexpr std::int64_t floor_budget_ns = 10'000'000;
constexpr std::int64_t least_set_bytes = std::int64_t{8} << 10;
constexpr std::int64_t usual_last_cache_bytes = std::int64_t{32} << 20;
constexpr std::int64_t most_set_bytes = std::int64_t{256} << 20;
constexpr std::array<std::int64_t, 4> product_sizes = {256, 512, 1024, 2048};

double best_product(const torch::TensorOptions& options, Backend& backend) {
  double best = 0;
  for (const std::int64_t n : product_sizes) {
    const torch::Tensor left = torch::ones({n, n}, options);
    const torch::Tensor right = torch::ones({n, n}, options);
    torch::Tensor product = torch::empty({n, n}, options);
    const std::int64_t ns = call_time_ns(
        backend, [&] { at::mm_out(product, left, right); }, product_budget_ns);
    const auto flops = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    best = std::max(best, flops * 1e9 / static_cast<double>(std::max<std::int64_t>(1, ns)));
    if (ns > slow_product_ns / 8) break;  // the next one takes eight times as long
  }
  return best;
}

std::int64_t largest_set(const torch::Device& device) {
  const long cache = device.is_cuda() ? 0 : sysconf(_SC_LEVEL3_CACHE_SIZE);
  return std::min(4 * (cache > 0 ? static_cast<std::int64_t>(cache) : usual_last_cache_bytes), most_set_bytes);
}

/// A copy reads one half of the working set and writes the other.
BandwidthLevel level_of(std::int64_t set_bytes, const torch::TensorOptions& options, Backend& backend) {
  const std::int64_t elements = set_bytes / 2 / static_cast<std::int64_t>(sizeof(float));
  const torch::Tensor from = torch::ones({elements}, options);
  torch::Tensor to = torch::empty({elements}, options);
  const std::int64_t ns = call_time_ns(
      backend, [&] { to.copy_(from); }, level_budget_ns);
  return {set_bytes, static_cast<double>(set_bytes) * 1e9 / static_cast<double>(std::max<std::int64_t>(1, ns))};
}

}  // namespace

std::optional<torch::ScalarType> matmul_dtype(const std::string& name) {
  if (name == "float32") return torch::kFloat32;
  if (name == "float64") return torch::kFloat64;
  if (name == "bfloat16") return torch::kBFloat16;
  if (name == "float16") return torch::kFloat16;
  return std::nullopt;
}

MachinePeaks measure_peaks(const torch::Device& device, Backend& backend, std::set<std::string> dtypes) {
  const torch::NoGradGuard no_grad;
  MachinePeaks peaks;
  dtypes.insert("float32");
  for (const std::string& name : dtypes) {
    const auto dtype = matmul_dtype(name);
    if (!dtype) continue;
    peaks.flops_per_s[name] = best_product(torch::TensorOptions(device).dtype(*dtype), backend);
  }
  const auto options = torch::TensorOptions(device).dtype(torch::kFloat32);
  const std::int64_t most = largest_set(device);
  for (std::int64_t bytes = least_set_bytes; bytes <= most; bytes *= 2) {
    peaks.bandwidth.push_back(level_of(bytes, options, backend));
  }
  const torch::Tensor one = torch::ones({1}, options);
  peaks.floor_ns = call_time_ns(
      backend, [&] { one.add_(1); }, floor_budget_ns);
  return peaks;
}

}  // namespace stepgate
