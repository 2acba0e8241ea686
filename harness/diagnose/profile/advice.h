// What would a mend win? Ranked by how sure that is, then by the time that it can win.
#pragma once

#include <vector>

#include "core/record/profile_run.h"
#include "core/study/profile.h"

namespace stepgate {

struct AdviceInput {
  const Profile& profile;           ///< experiments, kinds of bottleneck and operators are filled
  const ProfileRun* run = nullptr;  ///< one that observed steps; null if none did
  double ignore_margin = 0.01;
  bool tf32 = false;  ///< float32 products use TF32 already
};

/// From the experiments, the kinds of bottleneck, the operators, and the patterns of costly work
/// (diagnose/patterns/pattern.h), with their lines: likely to win what their operators take; predicted, where a process
/// replayed the written and the mended form, to win the part that the mended form saves. Sorted by rank_of(proof),
/// then worth; what was refuted comes last, with worth 0, because people would try it. Advice below the margin that is
/// not refuted is left out.
std::vector<Advice> advice_for(const AdviceInput& input);

}  // namespace stepgate
