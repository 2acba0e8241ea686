// Which calls of the user's own functions are new, and which line of a stack to name for it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "core/code_place.h"
#include "core/record/observed_work.h"
#include "core/stored/baseline.h"

namespace stepgate {

/// The frame of a stack that tells where more work comes from. Borrows from the observed work.
struct NamedFrame {
  const SourceFrame* frame = nullptr;  ///< nullptr where no frame of the user's code is known
  bool is_new_call = false;            ///< it calls what ran before, and did not call it from there, or not as often
};

/// Holds the calls of functions against those of a baseline. A function that runs a second time (clipping twice, an
/// evaluation while logging) has lines that did not change: the new line is in a caller.
class CallHistory {
 public:
  /// Without a baseline that knows calls of functions under names of the same kind no call is new.
  CallHistory(const Baseline* baseline, const ObservedWork& work);

  /// The outermost line whose call is new, of a function or of the operator itself; in a function that is new and calls
  /// one that ran before, its line. Else the innermost line.
  NamedFrame frame_to_name(const OperatorSite& site) const;

 private:
  using CallKey = std::tuple<std::string, std::string, std::int64_t, std::string>;  ///< caller, file, line, callee

  bool is_new_call(const SourceFrame& caller, const std::string& callee) const;
  bool has_new_call(const SourceFrame& line) const;

  const ObservedWork& work_;
  std::set<std::string, std::less<>> known_;  ///< functions that ran in the baseline
  std::set<std::string, std::less<>> risen_;  ///< functions that are called more often than in the baseline
  std::set<CallKey> new_calls_;
};

}  // namespace stepgate
