#include "core/verdict/losses/judged_losses.h"

namespace stepgate {

std::string text_of(const JudgedLosses& losses) {
  const std::string compared = losses.compared == 0
                                   ? std::string("none was compared")
                                   : "the first " + std::to_string(losses.compared) + " steps were compared";
  return "judged up to step " + std::to_string(losses.last_step) + ": " + std::to_string(losses.seen) + " of " +
         std::to_string(losses.steps) + " losses were looked at, " + compared;
}

}  // namespace stepgate
