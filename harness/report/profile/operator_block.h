// The operators on the console page of a profile.
#pragma once

#include "core/study/operator_view.h"
#include "core/study/profile.h"
#include "report/text/console_page.h"

namespace stepgate {

/// Table with what its letters mean, what the observer cost, and which roofs are too low. Nothing without operators.
void add_operator_block(const Profile& profile, const OperatorView& asked, ConsolePage& page);

}  // namespace stepgate
