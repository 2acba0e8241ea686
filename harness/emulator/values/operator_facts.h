// How values of an operator are made: found once for each operator, from a table and from what LibTorch has registered.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/values/value_operators.h"

namespace stepgate::emulator {

enum class Treatment {
  parts,     ///< it has no work of its own, or is made of other operators: those are looked at
  whole,     ///< its values are computed at the end of its work
  reading,   ///< the same, and its CUDA code reads results of operators that it calls: they have values too
  answered,  ///< its CUDA code reads a number that its result says: values come first, and that number is the answer
  copying,   ///< `whole` within devices. Between host and device copies move the bytes, and conversions are operators
};

struct OperatorFacts {
  std::string name;  ///< "aten::add", without the overload
  Treatment treatment = Treatment::whole;
  const ValueOperator* by_hand = nullptr;        ///< nullptr: the operator's kernel for CPUs
  std::optional<std::size_t> generator_at = {};  ///< its argument of that kind
  bool draws = false;                            ///< random numbers
  std::string refusal = {};                      ///< why it has no values; "" where it has
};

/// Of an operator of the program. The facts live as long as the process.
const OperatorFacts& facts_of(const c10::OperatorHandle& op);

/// The row of the table, for tests: absent where an operator is treated by what is registered.
std::optional<Treatment> listed_treatment(std::string_view name);

}  // namespace stepgate::emulator
