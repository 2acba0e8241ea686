#include "cli/options/general.h"

namespace stepgate {

OptionRows rows_of(General& o) {
  return {
      {Topic::output, "help", "", "", "print this text; -h too", switch_on(o.help)},
      {Topic::output, "version", "", "", "print the version", switch_on(o.version)},
  };
}

}  // namespace stepgate
