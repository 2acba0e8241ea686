#include "core/study/ab_plan.h"

namespace stepgate {

std::string difference_between(const AbPlan& a, const AbPlan& b) {
  struct Part {
    bool same;
    const char* name;
  };
  const Part parts[] = {
      {a.case_name == b.case_name, "the case is another one"},
      {a.machine == b.machine, "this is another machine, or it was restarted"},
      {a.base_digest == b.base_digest && a.base_commit == b.base_commit, "the base build is another one"},
      {a.head_digest == b.head_digest && a.head_commit == b.head_commit, "the head build is another one"},
      {a.policy_digest == b.policy_digest, "the policy is another one"},
      {a.control == b.control, "the A/A control is on another case"},
      {a.most_pairs == b.most_pairs && a.seeds == b.seeds && a.seed_steps == b.seed_steps &&
           a.alternating_windows == b.alternating_windows && a.plan == b.plan,
       "something else is measured"},
  };
  for (const Part& part : parts) {
    if (!part.same) return part.name;
  }
  return "";
}

}  // namespace stepgate
