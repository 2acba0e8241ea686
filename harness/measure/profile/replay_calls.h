// Single operators called again on operands of the recorded sizes.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/observed_work.h"

namespace stepgate {

using Operands = std::vector<torch::Tensor>;
using ReplayCall = std::function<void(const Operands&)>;

/// How a kind of operator is called. `inputs` of a site are its tensors in schema order, without those left out.
struct ReplayRow {
  std::string_view name;
  std::size_t tensors;  ///< it must have so many
  bool is_product;      ///< can be padded
  ReplayCall (*make)(const OperatorSite& site);
};

/// nullptr for an operator that is not in the table, or has another number of tensors.
const ReplayRow* replay_row_of(const OperatorSite& site);

/// The dtype with a name as in ObservedTensor; absent for one that no matrix product takes.
std::optional<torch::ScalarType> matmul_dtype(const std::string& name);

/// Tensors of the recorded sizes, strides and dtypes; absent where one holds integers, whose values matter.
std::optional<Operands> replay_operands(const OperatorSite& site, const torch::Device& device);

}  // namespace stepgate
