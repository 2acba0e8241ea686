// What the kinds of bottleneck are judged from.
#pragma once

#include "core/study/profile.h"
#include "diagnose/profile/step/profile_input.h"

namespace stepgate {

struct KindInput {
  const ProfileInput& input;
  const Profile& profile;  ///< step, account, operators and components are filled
};

}  // namespace stepgate
