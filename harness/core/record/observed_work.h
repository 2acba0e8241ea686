// What the observer saw of every operator call: shapes, dtypes, layout, work, time, and the place in the user's code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/code_place.h"

namespace stepgate {

/// A tensor that an operator got or gave back.
struct ObservedTensor {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  ///< in elements; 0: a broadcast dimension
  std::string dtype;                  ///< "float32", "bfloat16", "int64", ...
  /// For inputs: the operator that made this tensor ("aten::permute"), "parameter", "gradient", or "" if unknown.
  std::string from = {};

  bool operator==(const ObservedTensor&) const = default;
};

/// Calls of one operator from one place with operands of the same dtypes and layout. Numbers are totals over the
/// observed steps.
struct OperatorSite {
  std::string boundary;
  std::string name;         ///< "aten::mm"
  std::string parent = {};  ///< the operator that called it; "" if none did
  /// For aten::copy_ only: the operators in which it ran, the outermost first, e.g. "aten::linear", "aten::mm",
  /// "aten::clone".
  std::vector<std::string> callers = {};
  /// Index into ObservedWork::places; absent where no frame of the program is on the stack.
  std::optional<std::size_t> place = std::nullopt;
  /// True: it runs in backward, and `place` is that of the forward operator whose gradient it computes.
  bool for_forward = false;
  /// Operands of the first call. If the observer sorts by shape, all calls have these sizes.
  std::vector<ObservedTensor> inputs = {};
  std::vector<ObservedTensor> outputs = {};
  /// Arguments of the first call that are not tensors, as text in schema order, e.g. "[1, 1]", "True".
  std::vector<std::string> arguments = {};
  std::int64_t calls = 0;
  std::int64_t leaf_calls = 0;  ///< calls that do the work themselves, with all that they call: only these have bytes
  std::int64_t flops = 0;       ///< by its formula; 0 without one
  std::int64_t misaligned_flops = 0;  ///< the part of them in products whose sizes Tensor Cores cannot take whole
  bool has_formula = false;           ///< false: its FLOPs are unknown, unless it computes nothing (views, copies)
  std::int64_t bytes = 0;             ///< touched: sizes of its tensor operands and results (docs/design/metrics.md)
  /// For aten::copy_ only: bytes read and written by copies of more than one element within one device. A copy that is
  /// part of another operator's work has 0 `bytes`, but counts here.
  std::int64_t copied_bytes = 0;
  std::int64_t allocated_bytes = 0;
  std::int64_t saved_bytes = 0;  ///< for backward, in storages that no earlier call had saved; counts pass only
  std::int64_t self_ns = 0;      ///< on its thread, without the operators that it called
  std::int64_t total_ns = 0;     ///< with them
};

struct ObservedWork {
  std::int64_t steps = 0;
  bool by_shape = false;       ///< sites are also sorted by the sizes of their operands
  std::string build_id = {};   ///< build id of the program's file, hexadecimal; "" if it has none
  std::string not_lines = {};  ///< why places are unknown, e.g. "the stack cannot be unwound"; "" if they are known
  FramesFrom frames_from = FramesFrom::nothing;
  std::vector<CodePlace> places = {};
  std::vector<OperatorSite> sites = {};
};

}  // namespace stepgate
