#include "measure/device/hazard_search.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace stepgate {
namespace {

/// STEPGATE_HAZARD_SEQUENCES says how many runs to draw; ci/nightly draws 100 000.
std::uint64_t sequences() {
  const char* asked = std::getenv("STEPGATE_HAZARD_SEQUENCES");
  return asked == nullptr ? 400 : std::stoull(asked);
}

TEST(HazardSearch, FindsNothingUnorderedInRandomRuns) {
  for (std::uint64_t seed = 0; seed < sequences(); ++seed) {
    try {
      test::run_drawn(seed);
    } catch (const Hazard& hazard) {
      FAIL() << "run " << seed << ": " << hazard.what();
    }
  }
}

}  // namespace
}  // namespace stepgate
