// How often a line of the user's code calls a function of it, as the stacks of operators show.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/code_place.h"
#include "core/record/observed_work.h"

namespace stepgate {

/// A call of one function, or of an operator by the user's code itself. No stack says how often it was made, but how
/// often operators run on each way below it: a second call doubles all of these numbers, and an operator that is added
/// to the function or taken from it moves one end of their range at most.
struct FunctionCall {
  std::string callee;
  std::int64_t least = 0;  ///< calls of the operator that runs there least often, over the counted steps
  std::int64_t most = 0;   ///< and of the one that runs there most often

  bool operator==(const FunctionCall&) const = default;
};

struct CallFromLine {
  SourceFrame caller;  ///< with its line; {} where no own code calls it: the harness does, or the loader of programs
  FunctionCall call;
};

/// All calls of own functions in which operators run, and of operators, by function and line of the caller, then by the
/// callee. Backward is left out: its operators have the stacks of forward.
std::vector<CallFromLine> calls_from_lines(const ObservedWork& work);

/// What a baseline keeps of it: function that calls ("" for none) -> what it calls, in the order of its lines. Lines
/// move with each edit, and their order does not.
using FunctionCalls = std::map<std::string, std::vector<FunctionCall>>;

FunctionCalls function_calls(const ObservedWork& work);

}  // namespace stepgate
