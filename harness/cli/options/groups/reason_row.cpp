#include "cli/options/groups/reason_row.h"

namespace stepgate {

OptionRow reason_row(std::string& reason) {
  return {Topic::baselines,
          "reason",
          "TEXT",
          "",
          "why the baseline or the level may change; it is kept in the file",
          text_into(reason, "a sentence in quotes")};
}

}  // namespace stepgate
