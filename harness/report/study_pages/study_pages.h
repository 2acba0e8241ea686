// The pages of `sweep`, `ablate` and `profile`: the frame of the page of verdicts with other contents.
#pragma once

#include <string>

#include "core/study/ablation.h"
#include "core/study/profile.h"
#include "core/study/sweep.h"
#include "report/page/page_model.h"

namespace stepgate {

/// The best setting, what is as good, and where more stops helping.
Page sweep_page(const Sweep& sweep);

/// What each knob does to the noise of a step, and which are worth an option.
Page ablation_page(const Ablation& ablation);

/// What limits a step, how sure that is, and what a mend would win. `repository_url`: where the code is published, ""
/// if unknown.
Page profile_page(const Profile& profile, const std::string& repository_url);

}  // namespace stepgate
