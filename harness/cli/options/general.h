// The options of every command.
#pragma once

#include "cli/options/option_row.h"

namespace stepgate {

struct General {
  bool help = false;
  bool version = false;
};
OptionRows rows_of(General& o);

}  // namespace stepgate
