// What one process of group profile found: blocks of steps under each experiment, operators with their times, and the
// peaks of the machine. No gating value is ever taken from it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record/observed_work.h"

namespace stepgate {

/// Steps of one round under one variant of the step: between two synchronisations, or each of them so, in turns with
/// steps of other variants.
struct VariantBlock {
  std::string variant;        ///< "baseline", or the name of an experiment (core/study/experiment.h)
  std::int64_t round = 0;     ///< each round has one block of every variant, in an order of its own
  std::int64_t delay_ns = 0;  ///< for a criticality: the delay of each step
  std::int64_t wall_ns = 0;
  std::int64_t steps = 0;
};

/// Speed of copies whose working set has this size.
struct BandwidthLevel {
  std::int64_t working_set_bytes = 0;
  double bytes_per_s = 0;
};

/// Measured in the same process, with its threads.
struct MachinePeaks {
  std::map<std::string, double> flops_per_s;  ///< dtype -> best rate of a matrix product
  std::vector<BandwidthLevel> bandwidth;      ///< by working set, ascending
  std::int64_t floor_ns = 0;                  ///< the cheapest operator call that computes
};

/// One operator replayed alone on operands of the recorded sizes.
struct OperatorReplay {
  std::size_t site = 0;  ///< index into ProfileRun::observed.sites
  std::string form;      ///< "as recorded", "padded to 16", "contiguous", "bfloat16"
  std::int64_t ns = 0;   ///< median of one call
};

/// A matrix product that the step writes out (core/study/written_product.h), replayed alone in both forms.
struct ProductReplay {
  std::size_t site = 0;         ///< aten::mul: index into ProfileRun::observed.sites
  std::int64_t written_ns = 0;  ///< as written: copies, product and sum, with backward where the step has it
  std::int64_t product_ns = 0;  ///< the same by einsum
};

/// What the device took for the kernels, copies and memsets of equal calls of an operator, over the traced steps.
struct DeviceTime {
  std::string boundary;
  std::string name;                                   ///< "aten::mm"
  std::vector<std::vector<std::int64_t>> sizes = {};  ///< of its tensor operands, but those of one number and lists
  std::int64_t calls = 0;
  std::int64_t self_ns = 0;   ///< without the operators that it called
  std::int64_t total_ns = 0;  ///< with them
};

struct ProfileRun {
  std::vector<VariantBlock> blocks;
  std::optional<ObservedWork> observed = std::nullopt;
  std::int64_t observed_wall_ns = 0;    ///< all observed steps together, observer on
  std::int64_t unobserved_wall_ns = 0;  ///< as many steps right before, observer off
  MachinePeaks peaks;
  std::vector<OperatorReplay> replays = {};
  std::vector<ProductReplay> products = {};
  /// Blocks in which the calls of one place run twice, and those that they are compared with
  /// (core/repeated_place.h). All rounds have a block of each.
  std::vector<VariantBlock> repeats = {};
  std::map<std::string, std::int64_t> repeated_calls = {};  ///< place -> calls of one step that run twice
  double repeating_ns = 0;  ///< what a call costs that runs a second time, beyond what it costs when it runs alone
  std::map<std::string, std::string> absent = {};  ///< experiment -> why it was not possible here
  std::vector<DeviceTime> device_times = {};       ///< on a GPU, where the steps were traced
  std::string trace = {};                          ///< file name of the chrome trace beside the record; "" if none
};

}  // namespace stepgate
