// What a tree changes of its limits: one change of each direction, for the tests of documents and reports.
#pragma once

#include <string>

#include "core/verdict/limit_change.h"

namespace stepgate {

inline LimitReview sample_limit_review() {
  return {.base_commit = "4be1c0ffee12" + std::string(28, '0'),
          .changes = {{.subject = LimitSubject::baseline,
                       .move = LimitMove::edited_by_hand,
                       .suite = "language",
                       .place = "portable/language/char_lm/tiny.json",
                       .note = "operators_per_step 412 -> 500 (+21.4 %)",
                       .needs_consent = true},
                      {.subject = LimitSubject::guarded_case,
                       .move = LimitMove::removed,
                       .suite = "vision",
                       .place = "vision/resnet/tiny"},
                      {.subject = LimitSubject::policy,
                       .move = LimitMove::loosened,
                       .suite = "language",
                       .place = "language",
                       .key = "margins.matter",
                       .before = "0.05",
                       .after = "999",
                       .needs_consent = true},
                      {.subject = LimitSubject::baseline,
                       .move = LimitMove::accepted,
                       .suite = "vision",
                       .place = "portable/vision/mlp/tiny.json",
                       .key = "allocations_per_step",
                       .before = "412",
                       .after = "424",
                       .note = "+2.9 %, accepted 2026-11-20 at 3333333: new attention"},
                      {.subject = LimitSubject::policy,
                       .move = LimitMove::tightened,
                       .suite = "vision",
                       .place = "vision",
                       .key = "beta",
                       .before = "0.05",
                       .after = "0.01"}},
          .unread = {"baselines/portable/vision/cnn/tiny.json of the base: a damaged file"}};
}

}  // namespace stepgate
