// An A/B run of four pairs over a build with itself: the fake program tells the sides apart by the folder that it was
// copied to.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "experiment/ab.h"
#include "experiment/fake_build.h"
#include "json/stored/ab_plan_json.h"

namespace stepgate {

inline AbOptions four_pairs(const FakeBuild& build, TierChoice tier = TierChoice::timed) {
  return {.measure = {.tier = tier, .exact_replicates = 1},
          .host = build.host(),
          .pairs = {.base_build = build.root(), .most_pairs = 4, .interleave = Interleave::processes}};
}

inline std::string text_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline std::filesystem::path ab_folder(const FakeBuild& build) { return build.root() / "out" / fake_case / "ab"; }

/// Of all cases, for a required check.
inline std::filesystem::path whole_verdict(const FakeBuild& build) { return build.root() / "out/ab/verdict.json"; }

inline AbPlan stored_plan(const FakeBuild& build) {
  return ab_plan_from_text(text_in(ab_folder(build) / "ab.json"), "ab.json");
}

}  // namespace stepgate
