#include "measure/profile/operator_replay.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>

#include "measure/profile/call_time.h"
#include "measure/profile/replay_calls.h"

namespace stepgate {
namespace {

constexpr double least_replayed_share = 0.03;
constexpr std::int64_t pad_to = 16;

torch::Tensor padded(const torch::Tensor& tensor) {
  std::vector<std::int64_t> sizes = tensor.sizes().vec();
  for (std::size_t i = sizes.size() - 2; i < sizes.size(); ++i) sizes[i] = (sizes[i] + pad_to - 1) / pad_to * pad_to;
  const torch::Tensor made = torch::full(sizes, 0.5, tensor.options());
  // A matrix that was read transposed stays so.
  return tensor.stride(-2) == 1 && tensor.stride(-1) != 1 ? made.transpose(-2, -1).contiguous().transpose(-2, -1)
                                                          : made;
}

struct Form {
  std::string_view name;
  /// Altered operands; nothing where the form changes nothing.
  Operands (*alter)(const ReplayRow& row, const Operands& operands);
};

template <typename Alter>
Operands altered(const Operands& operands, Alter alter) {
  Operands result;
  for (const torch::Tensor& operand : operands) result.push_back(alter(operand));
  return result;
}

Operands as_padded(const ReplayRow& row, const Operands& operands) {
  if (!row.is_product) return {};
  Operands result = altered(operands, padded);
  const bool same = std::equal(result.begin(), result.end(), operands.begin(),
                               [](const auto& left, const auto& right) { return left.sizes() == right.sizes(); });
  return same ? Operands{} : result;
}

Operands as_contiguous(const ReplayRow& /*row*/, const Operands& operands) {
  const bool all = std::all_of(operands.begin(), operands.end(), [](const auto& one) { return one.is_contiguous(); });
  return all ? Operands{} : altered(operands, [](const torch::Tensor& one) { return one.contiguous(); });
}

Operands as_channels_last(const ReplayRow& row, const Operands& operands) {
  if (!row.name.ends_with("convolution") || operands.front().dim() != 4 ||
      operands.front().is_contiguous(at::MemoryFormat::ChannelsLast)) {
    return {};
  }
  return altered(operands, [](const torch::Tensor& one) {
    return one.dim() == 4 ? one.contiguous(at::MemoryFormat::ChannelsLast) : one;
  });
}

Operands as_bfloat16(const ReplayRow& row, const Operands& operands) {
  if (row.name == "aten::copy_" || operands.front().scalar_type() != torch::kFloat32) return {};
  return altered(operands, [](const torch::Tensor& one) { return one.to(torch::kBFloat16); });
}

constexpr std::array replay_forms = {Form{"padded to 16", as_padded}, Form{"contiguous", as_contiguous},
                                     Form{"channels-last", as_channels_last}, Form{"bfloat16", as_bfloat16}};

/// Positions of the sites that cost enough, costliest first.
std::vector<std::size_t> costly_sites(const ReplayRequest& request) {
  const ObservedWork& work = request.work;
  const double least_ns = least_replayed_share * static_cast<double>(request.step_ns * work.steps);
  std::vector<std::size_t> order(work.sites.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t at) {
    return static_cast<double>(work.sites[at].self_ns) < least_ns || replay_row_of(work.sites[at]) == nullptr;
  });
  std::sort(order.begin(), order.end(),
            [&](std::size_t left, std::size_t right) { return work.sites[left].self_ns > work.sites[right].self_ns; });
  return order;
}

void replay_site(const ReplayRequest& request, std::size_t site, std::int64_t budget_ns,
                 std::vector<OperatorReplay>& replays) {
  const OperatorSite& seen = request.work.sites[site];
  const ReplayRow& row = *replay_row_of(seen);
  const ReplayCall call = row.make(seen);
  const auto operands = replay_operands(seen, request.device);
  if (!call || !operands) return;
  const auto replay = [&](std::string_view form, const Operands& with) {
    const std::int64_t ns = call_time_ns(
        request.backend, [&] { call(with); }, budget_ns);
    replays.push_back({.site = site, .form = std::string(form), .ns = ns});
  };
  replay("as recorded", *operands);
  for (const Form& form : replay_forms) {
    const Operands with = form.alter(row, *operands);
    if (!with.empty()) replay(form.name, with);
  }
}

}  // namespace

std::vector<OperatorReplay> replay_operators(const ReplayRequest& request) {
  const torch::NoGradGuard no_grad;
  const std::vector<std::size_t> sites = costly_sites(request);
  std::vector<OperatorReplay> replays;
  for (const std::size_t site : sites) {
    const std::int64_t each_ns = request.budget_ns / (std::ssize(sites) * (std::ssize(replay_forms) + 1));
    const std::size_t before = replays.size();
    try {
      replay_site(request, site, each_ns, replays);
    } catch (const c10::Error&) {
      replays.resize(before);  // these operands do not fit together: its arguments are not as they seem
    }
  }
  return replays;
}

}  // namespace stepgate
