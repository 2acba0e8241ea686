// A profile as Markdown, for a pull request or a notebook: profile.md.
#pragma once

#include <string>

#include "core/study/profile.h"
#include "report/profile/operator_lines.h"

namespace stepgate {

std::string render_profile_markdown(const Profile& profile, const OperatorView& view);

}  // namespace stepgate
