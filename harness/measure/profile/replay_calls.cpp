#include "measure/profile/replay_calls.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace stepgate {
namespace {

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

}  // namespace

std::optional<torch::ScalarType> matmul_dtype(const std::string& name) {
  if (name == "float32") return torch::kFloat32;
  if (name == "float64") return torch::kFloat64;
  if (name == "bfloat16") return torch::kBFloat16;
  if (name == "float16") return torch::kFloat16;
  return std::nullopt;
}

const ReplayRow* replay_row_of(const OperatorSite& site) {
  const auto found = std::find_if(replay_rows.begin(), replay_rows.end(), [&](const ReplayRow& row) {
    return row.name == site.name && row.tensors == site.inputs.size();
  });
  return found == replay_rows.end() ? nullptr : &*found;
}

std::optional<Operands> replay_operands(const OperatorSite& site, const torch::Device& device) {
  Operands operands;
  for (const ObservedTensor& seen : site.inputs) {
    auto made = tensor_of(seen, device);
    if (!made) return std::nullopt;
    operands.push_back(std::move(*made));
  }
  return operands;
}

}  // namespace stepgate
