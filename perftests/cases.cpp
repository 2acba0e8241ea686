#include "cases.h"

#include "language/char_lm.h"
#include "language/char_lm_parallel.h"
#include "vision/digits_cnn.h"
#include "vision/photo_decode.h"

namespace stepgate {

std::vector<Case> guarded_cases() {
  return {
      {.name = "language/char_lm/tiny", .make = make_tiny_char_lm, .params = params_of(tiny_char_lm())},
      {.name = "language/char_lm/full",
       .make = make_full_char_lm,
       .device = "cuda",
       .params = params_of(full_char_lm())},
      {.name = "language/char_lm_parallel/tiny",
       .make = make_tiny_char_lm_parallel,
       .params = params_of(tiny_char_lm_parallel()),
       .ranks = 2},
      {.name = "language/char_lm_parallel/full",
       .make = make_full_char_lm_parallel,
       .device = "cuda",
       .params = params_of(full_char_lm_parallel()),
       .ranks = 2},
      {.name = "vision/digits_cnn/tiny", .make = make_tiny_digits_cnn, .params = params_of(tiny_digits_cnn())},
      {.name = "vision/digits_cnn/full",
       .make = make_full_digits_cnn,
       .device = "cuda",
       .params = params_of(full_digits_cnn())},
      {.name = "vision/photo_decode/tiny", .make = make_tiny_photo_decode, .params = params_of(tiny_photo_decode())},
      {.name = "vision/photo_decode/full",
       .make = make_full_photo_decode,
       .device = "cuda",
       .params = params_of(full_photo_decode())},
  };
}

}  // namespace stepgate
