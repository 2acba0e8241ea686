#include "cases.h"

#include "language/char_lm.h"

namespace stepgate {

std::vector<Case> guarded_cases() {
  return {
      {.name = "language/char_lm/tiny", .make = make_tiny_char_lm, .params = params_of(tiny_char_lm())},
      {.name = "language/char_lm/full",
       .make = make_full_char_lm,
       .device = "cuda",
       .params = params_of(full_char_lm())},
  };
}

}  // namespace stepgate
