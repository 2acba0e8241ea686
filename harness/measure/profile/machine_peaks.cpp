#include "measure/profile/machine_peaks.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "core/study/flop_peak.h"
#include "measure/profile/call_time.h"
#include "measure/profile/replay_calls.h"

namespace stepgate {
namespace {

constexpr std::int64_t product_budget_ns = 60'000'000;
constexpr std::int64_t slow_product_ns = 100'000'000;  ///< products that take longer are left out
constexpr std::int64_t own_product_budget_ns = 20'000'000;
constexpr std::size_t most_own_products = 8;
constexpr std::int64_t level_budget_ns = 5'000'000;
constexpr std::int64_t floor_budget_ns = 10'000'000;
constexpr std::int64_t least_set_bytes = std::int64_t{8} << 10;
constexpr std::int64_t usual_last_cache_bytes = std::int64_t{32} << 20;
constexpr std::int64_t most_set_bytes = std::int64_t{256} << 20;
constexpr std::array<std::int64_t, 4> product_sizes = {256, 512, 1024, 2048};

void raise_rate(double flops, std::int64_t ns, double& best) {
  best = std::max(best, flops * 1e9 / static_cast<double>(std::max<std::int64_t>(1, ns)));
}

double best_square_product(const torch::TensorOptions& options, Backend& backend) {
  double best = 0;
  for (const std::int64_t n : product_sizes) {
    const torch::Tensor left = torch::ones({n, n}, options);
    const torch::Tensor right = torch::ones({n, n}, options);
    torch::Tensor product = torch::empty({n, n}, options);
    const std::int64_t ns = fastest_call_ns(
        backend, [&] { at::mm_out(product, left, right); }, product_budget_ns);
    raise_rate(2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n), ns, best);
    if (ns > slow_product_ns / 8) break;  // the next one takes eight times as long
  }
  return best;
}

/// Those with the most FLOPs, of those that can be called again.
std::vector<const OperatorSite*> largest_products(const ObservedWork& work) {
  std::vector<const OperatorSite*> products;
  for (const OperatorSite& site : work.sites) {
    const bool slow = site.calls > 0 && site.self_ns / site.calls > slow_product_ns;
    if (site.flops > 0 && site.calls > 0 && !slow && replay_row_of(site) != nullptr) products.push_back(&site);
  }
  std::stable_sort(products.begin(), products.end(),
                   [](const OperatorSite* a, const OperatorSite* b) { return a->flops > b->flops; });
  products.resize(std::min(products.size(), most_own_products));
  return products;
}

/// 0 for a product that cannot be called again.
std::int64_t own_product_ns(const PeakRequest& request, const OperatorSite& site) {
  try {
    const ReplayCall call = replay_row_of(site)->make(site);
    const auto operands = replay_operands(site, request.device);
    if (!call || !operands) return 0;
    return fastest_call_ns(
        request.backend, [&] { call(*operands); }, own_product_budget_ns);
  } catch (const c10::Error&) {
    return 0;  // no memory for it, or operands that do not fit together: its arguments are not as they seem
  }
}

void try_own_products(const PeakRequest& request, MachinePeaks& peaks) {
  for (const OperatorSite* site : largest_products(*request.work)) {
    const std::int64_t ns = own_product_ns(request, *site);
    if (ns == 0) continue;
    const double flops = static_cast<double>(site->flops) / static_cast<double>(site->calls);
    raise_rate(flops, ns, peaks.flops_per_s[compute_dtype(*site)]);
  }
}

/// Dtypes of the operands of matrix products and convolutions, and float32.
std::set<std::string> dtypes_of(const ObservedWork* work) {
  std::set<std::string> dtypes = {"float32"};
  if (work == nullptr) return dtypes;
  for (const OperatorSite& site : work->sites) {
    if (site.flops > 0 && !site.inputs.empty()) dtypes.insert(site.inputs.back().dtype);
  }
  return dtypes;
}

std::int64_t largest_set(const torch::Device& device) {
  const long cache = device.is_cuda() ? 0 : sysconf(_SC_LEVEL3_CACHE_SIZE);
  return std::min(4 * (cache > 0 ? static_cast<std::int64_t>(cache) : usual_last_cache_bytes), most_set_bytes);
}

/// A copy reads one half of the working set and writes the other; a sum reads all of it.
BandwidthLevel level_of(std::int64_t set_bytes, const torch::TensorOptions& options, Backend& backend) {
  const std::int64_t elements = set_bytes / static_cast<std::int64_t>(sizeof(float));
  const torch::Tensor all = torch::ones({elements}, options);
  const torch::Tensor from = all.narrow(0, 0, elements / 2);
  torch::Tensor to = all.narrow(0, elements / 2, elements / 2);
  const std::int64_t copy_ns = fastest_call_ns(
      backend, [&] { to.copy_(from); }, level_budget_ns);
  const std::int64_t sum_ns = fastest_call_ns(
      backend, [&] { at::sum(all); }, level_budget_ns);
  const std::int64_t ns = std::max<std::int64_t>(1, std::min(copy_ns, sum_ns));
  return {set_bytes, static_cast<double>(set_bytes) * 1e9 / static_cast<double>(ns)};
}

}  // namespace

MachinePeaks measure_peaks(const PeakRequest& request) {
  const torch::NoGradGuard no_grad;
  MachinePeaks peaks;
  for (const std::string& name : dtypes_of(request.work)) {
    const auto dtype = matmul_dtype(name);
    if (!dtype) continue;
    const auto options = torch::TensorOptions(request.device).dtype(*dtype);
    peaks.flops_per_s[name] = best_square_product(options, request.backend);
  }
  if (request.work != nullptr) try_own_products(request, peaks);
  const auto options = torch::TensorOptions(request.device).dtype(torch::kFloat32);
  const std::int64_t most = largest_set(request.device);
  for (std::int64_t bytes = least_set_bytes; bytes <= most; bytes *= 2) {
    peaks.bandwidth.push_back(level_of(bytes, options, request.backend));
  }
  const torch::Tensor one = torch::ones({1}, options);
  peaks.floor_ns = fastest_call_ns(
      request.backend, [&] { one.add_(1); }, floor_budget_ns);
  return peaks;
}

}  // namespace stepgate
