#include "measure/profile/operator_replay.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>

#include "measure/profile/call_time.h"
#include "measure/profile/machine_peaks.h"

namespace stepgate {
namespace {

using Operands = std::vector<torch::Tensor>;
using ReplayCall = std::function<void(const Operands&)>;
constexpr double least_replayed_share = 0.03;
constexpr std::int64_t pad_to = 16;

std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (read.ec == std::errc()) numbers.push_back(number);
    at = read.ec == std::errc() ? static_cast<std::size_t>(read.ptr - text.data()) : at + 1;
  }
  return numbers;
}

/// How a kind of operator is called. `inputs` of a site are its tensors in schema order, without those left out.
struct ReplayRow {
  std::string_view name;
  std::size_t tensors;  ///< it must have so many
  bool is_product;      ///< can be padded
  ReplayCall (*make)(const OperatorSite& site);
};

ReplayCall softmax(const OperatorSite& site) {
  if (site.arguments.empty()) return {};
  const auto numbers = numbers_in(site.arguments.front());
  if (numbers.size() != 1) return {};
  return [dim = numbers.front()](const Operands& in) { at::_softmax(in[0], dim, false); };
}

ReplayCall log_softmax(const OperatorSite& site) {
  if (site.arguments.empty()) return {};
  const auto numbers = numbers_in(site.arguments.front());
  if (numbers.size() != 1) return {};
  return [dim = numbers.front()](const Operands& in) { at::_log_softmax(in[0], dim, false); };
}

/// stride, padding, dilation, transposed, output_padding, groups
ReplayCall convolution(const OperatorSite& site) {
  if (site.arguments.size() < 6 || site.inputs.size() < 2 || site.arguments[3] != "False") return {};
  const auto groups = numbers_in(site.arguments[5]);
  if (groups.size() != 1) return {};
  return [stride = numbers_in(site.arguments[0]), padding = numbers_in(site.arguments[1]),
          dilation = numbers_in(site.arguments[2]), groups = groups.front()](const Operands& in) {
    at::convolution(in[0], in[1], in.size() > 2 ? in[2] : torch::Tensor(), stride, padding, dilation, false,
                    std::vector<std::int64_t>(stride.size(), 0), groups);
  };
}

/// padding, stride, dilation, groups. The leaf of a convolution on a CPU.
ReplayCall mkldnn_convolution(const OperatorSite& site) {
  if (site.arguments.size() != 4) return {};
  const auto groups = numbers_in(site.arguments[3]);
  if (groups.size() != 1) return {};
  return [padding = numbers_in(site.arguments[0]), stride = numbers_in(site.arguments[1]),
          dilation = numbers_in(site.arguments[2]), groups = groups.front()](const Operands& in) {
    at::mkldnn_convolution(in[0], in[1], in.size() > 2 ? in[2] : torch::Tensor(), padding, stride, dilation, groups);
  };
}

const std::array replay_rows = {
    ReplayRow{"aten::mm", 2, true,
              [](const OperatorSite&) -> ReplayCall { return [](const Operands& in) { at::mm(in[0], in[1]); }; }},
    ReplayRow{"aten::bmm", 2, true,
              [](const OperatorSite&) -> ReplayCall { return [](const Operands& in) { at::bmm(in[0], in[1]); }; }},
    ReplayRow{
        "aten::addmm", 3, false,
        [](const OperatorSite&) -> ReplayCall { return [](const Operands& in) { at::addmm(in[0], in[1], in[2]); }; }},
    ReplayRow{"aten::mul", 2, false,
              [](const OperatorSite&) -> ReplayCall { return [](const Operands& in) { at::mul(in[0], in[1]); }; }},
    ReplayRow{"aten::add", 2, false,
              [](const OperatorSite&) -> ReplayCall { return [](const Operands& in) { at::add(in[0], in[1]); }; }},
    ReplayRow{"aten::div", 2, false,
              [](const OperatorSite&) -> ReplayCall { return [](const Operands& in) { at::div(in[0], in[1]); }; }},
    ReplayRow{"aten::relu", 1, false,
              [](const OperatorSite&) -> ReplayCall { return [](const Operands& in) { at::relu(in[0]); }; }},
    ReplayRow{"aten::gelu", 1, false,
              [](const OperatorSite&) -> ReplayCall { return [](const Operands& in) { at::gelu(in[0]); }; }},
    ReplayRow{
        "aten::gelu_backward", 2, false,
        [](const OperatorSite&) -> ReplayCall { return [](const Operands& in) { at::gelu_backward(in[0], in[1]); }; }},
    ReplayRow{"aten::_softmax", 1, false, softmax},
    ReplayRow{"aten::_log_softmax", 1, false, log_softmax},
    ReplayRow{"aten::convolution", 2, false, convolution},
    ReplayRow{"aten::convolution", 3, false, convolution},
    ReplayRow{"aten::mkldnn_convolution", 2, false, mkldnn_convolution},
    ReplayRow{"aten::mkldnn_convolution", 3, false, mkldnn_convolution},
    ReplayRow{"aten::copy_", 2, false,
              [](const OperatorSite&) -> ReplayCall {
                return [](const Operands& in) {
                  torch::Tensor to = in[0];
                  to.copy_(in[1]);
                };
              }},
};

/// The number of elements from its first to its last in memory.
std::int64_t storage_elements(const ObservedTensor& seen) {
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < seen.sizes.size(); ++i) {
    if (seen.sizes[i] == 0) return 0;
    elements += (seen.sizes[i] - 1) * seen.strides[i];
  }
  return elements;
}

/// A tensor of the recorded sizes, strides and dtype; absent for integers, whose values matter.
std::optional<torch::Tensor> tensor_of(const ObservedTensor& seen, const torch::Device& device) {
  const auto dtype = matmul_dtype(seen.dtype);
  if (!dtype || seen.strides.size() != seen.sizes.size()) return std::nullopt;
  const auto options = torch::TensorOptions(device).dtype(*dtype);
  // All of the storage, so that operands which are not dense have no other values between their elements.
  return torch::full({storage_elements(seen)}, 0.5, options).as_strided(seen.sizes, seen.strides);
}

std::optional<Operands> operands_of(const OperatorSite& site, const torch::Device& device) {
  Operands operands;
  for (const ObservedTensor& seen : site.inputs) {
    auto made = tensor_of(seen, device);
    if (!made) return std::nullopt;
    operands.push_back(std::move(*made));
  }
  return operands;
}

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

const ReplayRow* row_of(const OperatorSite& site) {
  const auto found = std::find_if(replay_rows.begin(), replay_rows.end(), [&](const ReplayRow& row) {
    return row.name == site.name && row.tensors == site.inputs.size();
  });
  return found == replay_rows.end() ? nullptr : &*found;
}

/// Positions of the sites that cost enough, costliest first.
std::vector<std::size_t> costly_sites(const ReplayRequest& request) {
  const ObservedWork& work = request.work;
  const double least_ns = least_replayed_share * static_cast<double>(request.step_ns * work.steps);
  std::vector<std::size_t> order(work.sites.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t at) {
    return static_cast<double>(work.sites[at].self_ns) < least_ns || row_of(work.sites[at]) == nullptr;
  });
  std::sort(order.begin(), order.end(),
            [&](std::size_t left, std::size_t right) { return work.sites[left].self_ns > work.sites[right].self_ns; });
  return order;
}

void replay_site(const ReplayRequest& request, std::size_t site, std::int64_t budget_ns,
                 std::vector<OperatorReplay>& replays) {
  const OperatorSite& seen = request.work.sites[site];
  const ReplayRow& row = *row_of(seen);
  const ReplayCall call = row.make(seen);
  const auto operands = operands_of(seen, request.device);
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
