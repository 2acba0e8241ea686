// Operators and autograd nodes that run on a thread at this moment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "measure/device/work/copy_work.h"
#include "measure/device/work/operators/call_sites.h"
#include "measure/device/work/operators/observed_operands.h"

namespace stepgate {

/// An operator that runs on a thread.
struct OpenCall {
  const char* name = nullptr;  ///< its address tells the operator's schema
  const OperatorTraits* op = nullptr;
  CallSites::Entry* entry = nullptr;
  const c10::TensorImpl* first_input = nullptr;
  OperandSums inputs;
  std::unique_ptr<OperatorCall> described;  ///< set for a first call, and if a formula needs the sizes
  std::unique_ptr<OperatorCall> operands;   ///< for launches, where `described` is not set
  bool called_library = false;              ///< a library has launched kernels in it
  std::optional<CopyKind> copy = std::nullopt;
  std::string cast = {};           ///< cast_text() of a cast
  std::string_view waits_as = "";  ///< the host would wait for the device here, under this name; "": it would not
  bool decides_waits = false;      ///< operators that it calls count as no further waits
  bool does_work = false;          ///< it does the work itself: operators that it calls are part of it
  bool within_work = false;
  bool within_formula = false;  ///< its FLOPs are counted by an operator that called it
  bool formula_within = false;  ///< an operator that it called counted FLOPs
  std::int64_t children = 0;
  std::int64_t children_ns = 0;
  std::int64_t children_bytes = 0;
  std::int64_t bytes_before = 0;
  std::int64_t saved_bytes = 0;  ///< for backward
  std::int64_t begin_ns = 0;
};

/// An autograd node that runs on a thread.
struct OpenNode {
  std::size_t calls = 0;  ///< calls that were open when it began
  std::int32_t place = no_place;
};

struct ThreadCalls {
  std::uint64_t run = 0;  ///< tells the calls of this observation from earlier ones
  std::vector<OpenCall> calls;
  std::vector<OpenNode> nodes;
  std::unordered_map<const char*, const OperatorTraits*> operators;
  std::vector<std::uint64_t> stack;  ///< own calls on the stack of the latest call

  /// False where an autograd node lies between the next operator and the innermost open call.
  bool is_nested() const { return calls.size() > first_nested(); }
  /// The operators in which the next one runs, the outermost first; those outside of an autograd node do not count.
  std::vector<const OperatorTraits*> callers() const {
    std::vector<const OperatorTraits*> ops;
    for (std::size_t i = first_nested(); i < calls.size(); ++i) ops.push_back(calls[i].op);
    return ops;
  }
  std::size_t first_nested() const { return nodes.empty() ? 0 : nodes.back().calls; }
  const OpenNode* node() const { return nodes.empty() || is_nested() ? nullptr : &nodes.back(); }
};

/// True if its FLOPs and bytes count: the outermost operator that has a kernel or a formula, else one without parts.
inline bool is_leaf(const OpenCall& open) { return open.does_work || (!open.within_work && open.children == 0); }

/// Bytes that a leaf moves.
inline std::int64_t moved_bytes(const OpenCall& open, const OperandSums& outputs) {
  if (open.op->moves_nothing) return 0;
  const std::int64_t unread = open.op->gathers ? std::max<std::int64_t>(open.inputs.first_bytes - outputs.bytes, 0) : 0;
  return open.inputs.bytes - unread + outputs.bytes;
}

}  // namespace stepgate
