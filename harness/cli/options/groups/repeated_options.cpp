#include "cli/options/groups/repeated_options.h"

namespace stepgate {

RepeatedOptions repeated_options(const MeasuredPlaces& places, const Measuring& measuring) {
  return {.policy_root = places.policy_root,
          .data_dir = places.data_dir,
          .runner_class = places.runner_class,
          .measuring = measuring};
}

}  // namespace stepgate
