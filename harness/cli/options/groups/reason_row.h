// --reason, which a reviewed change needs.
#pragma once

#include <string>

#include "cli/options/option_row.h"

namespace stepgate {

OptionRow reason_row(std::string& reason);

}  // namespace stepgate
