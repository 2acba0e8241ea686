// The line of the user's code that a piece of advice is about.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/record/observed_work.h"
#include "core/study/profile.h"

namespace stepgate {

/// The line whose operators take most of the time that is of this kind: operators that compute, that move bytes or are
/// the price of a call, or those of the kind's boundary. Of the input that of the loader's operators in `work`, which
/// may be null. Absent where no operator of the kind has a line.
std::optional<SourceFrame> line_of_kind(Bottleneck kind, const Profile& profile, const ObservedWork* work);

/// The line of the costliest operator with this name in this boundary.
std::optional<SourceFrame> line_of_operator(std::string_view name, std::string_view boundary, const Profile& profile);

/// The innermost of these frames with a line; absent where none has one.
std::optional<SourceFrame> innermost_line(const std::vector<SourceFrame>& frames);

}  // namespace stepgate
