// The answers to single questions of the checklist.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/observed_work.h"
#include "core/study/profile.h"
#include "diagnose/patterns/pattern_match.h"
#include "diagnose/profile/step/profile_input.h"
#include "diagnose/profile/step/step_means.h"

namespace stepgate {

struct ChecklistFacts {
  const ProfileInput& input;
  const Profile& profile;
  Records timed;  ///< clean ones
  Records ran;    ///< the same; where all were disturbed, these: for what is not a time
  bool gpu = false;
};

struct Reply {
  Answer answer = Answer::unknown;
  std::string evidence;
};

struct ChecklistRow {
  std::string_view list;  ///< "points", "smoke", "mistakes"
  std::string_view id;
  std::string_view asks;
  Reply (*reply)(const ChecklistFacts&);
  bool of_time = false;  ///< unknown where nothing was timed on purpose
};

/// The 18 points (checklist_points.cpp).
std::span<const ChecklistRow> point_rows();

/// The step is one call (WholeStepWorkload), without backward and optimizer of its own.
bool is_one_call(const ChecklistFacts& facts);
using FindPattern = std::vector<PatternMatch> (*)(const ObservedWork& work);
/// What the first match says, of the first process that has one; "" if none has.
std::string first_match(const ChecklistFacts& facts, FindPattern find);

// Replies that several lists share.
Reply reply_on_warm_up(const ChecklistFacts& facts);
Reply reply_on_syncs(const ChecklistFacts& facts);
Reply reply_on_loader(const ChecklistFacts& facts);
Reply reply_on_memory(const ChecklistFacts& facts);
Reply reply_on_numerics(const ChecklistFacts& facts);
Reply reply_on_experiments(const ChecklistFacts& facts);

}  // namespace stepgate
