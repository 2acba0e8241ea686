// Operators whose results have sizes that depend on numbers. In counts mode nobody has computed these, so whatever such
// an operator reads of its device is no size.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "emulator/machine/calling_operator.h"
#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// The exit status of a process that needs values.
inline constexpr int values_needed_status = 79;

/// LibTorch's operators with the tag dynamic_output_shape, as at::_ops names them. A test compares them with the tags.
inline constexpr std::array<std::string_view, 14> operators_sized_by_values = {"_ctc_loss",
                                                                               "_ctc_loss_Tensor",
                                                                               "_unique2",
                                                                               "argwhere",
                                                                               "bincount",
                                                                               "index_Tensor",
                                                                               "linalg_lstsq",
                                                                               "masked_select",
                                                                               "nonzero",
                                                                               "one_hot",
                                                                               "unique_consecutive",
                                                                               "unique_dim",
                                                                               "unique_dim_consecutive",
                                                                               "repeat_interleave_Tensor"};

/// Whether it is one of these, or one of these into tensors that are given ("nonzero_out").
constexpr bool is_sized_by_values(std::string_view name) {
  constexpr std::string_view into_given = "_out";
  if (name.ends_with(into_given)) name.remove_suffix(into_given.size());
  return std::find(operators_sized_by_values.begin(), operators_sized_by_values.end(), name) !=
         operators_sized_by_values.end();
}

/// "stepgate: the emulated GPU computes nothing in counts mode, and aten::nonzero reads ...".
std::string values_needed_text(std::string_view operator_name);

/// In counts mode: ends the process where such an operator, or one that it calls, copies from a device to the host.
/// One that knows its sizes without that, as an index by positions does, goes on.
class SizeReads : public MachineObserver {
 public:
  void planned(const PlannedOperation& planned) override;

 private:
  OperatorFinder operators_;
};

}  // namespace stepgate::emulator
