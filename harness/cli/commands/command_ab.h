// `stepgate ab`: measures two builds in pairs, on this machine or on several.
#pragma once

#include "cli/commands/ab_command.h"
#include "cli/options/option_row.h"

namespace stepgate {

OptionRows rows_of(AbCommand& o);

/// The exit status.
int command_ab(const AbCommand& o);

}  // namespace stepgate
