// Marks in the emulated GPU's log, so that it is compared with the run record step by step (ci/emulated_gpu).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "measure/device/backend.h"

namespace stepgate {

namespace log_marks {
inline constexpr std::string_view counts = "counts";
inline constexpr std::string_view memory = "memory";
}  // namespace log_marks

enum class StepEnd { begin, end };

struct StepMark {
  std::string_view pass;
  std::int64_t step = 0;  ///< from 0, as the record's sequences; negative: of a warm-up, which has no mark
  StepEnd at = StepEnd::end;
};

/// "counts begin 3" before a step and "counts 3" after it: the log's stretch "counts 3" holds what the pass counted.
inline void mark_step(Backend& backend, const StepMark& mark) {
  if (mark.step < 0) return;
  const std::string begin = mark.at == StepEnd::begin ? " begin " : " ";
  backend.mark_log(std::string(mark.pass) + begin + std::to_string(mark.step));
}

}  // namespace stepgate
