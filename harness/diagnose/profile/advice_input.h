// What advice is made from.
#pragma once

#include "core/record/profile_run.h"
#include "core/study/profile.h"

namespace stepgate {

struct AdviceInput {
  const Profile& profile;           ///< experiments, kinds of bottleneck, operators and call costs are filled
  const ProfileRun* run = nullptr;  ///< one that observed steps; null if none did
  double ignore_margin = 0.01;
  bool tf32 = false;  ///< float32 products use TF32 already
};

}  // namespace stepgate
