#include "judge/verdict/policy_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "core/error.h"

namespace stepgate {
namespace {

/// The message that check_policy must throw after `change`.
std::string refusal(const std::function<void(Policy&)>& change) {
  Policy policy;
  change(policy);
  try {
    check_policy(policy);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_FALSE(error.remedy().empty());
    return error.what();
  }
  return "accepted";
}

TEST(PolicyCheck, AcceptsTheDefaults) {
  EXPECT_EQ(refusal([](Policy&) {}), "accepted");
}

TEST(PolicyCheck, NamesTheKeyThatIsOutOfRange) {
  using testing::HasSubstr;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal([](Policy& p) { p.margins.matter = p.margins.ignore; }), HasSubstr("'margins.matter'"));
  EXPECT_THAT(refusal([](Policy& p) { p.margins.ignore = -0.01; }), HasSubstr("'margins.ignore'"));
  EXPECT_THAT(refusal([](Policy& p) { p.metric_margins["first_step_ns"] = {.ignore = 0.2, .matter = 0.1}; }),
              HasSubstr("'metric_margins.first_step_ns.matter'"));
  EXPECT_THAT(refusal([](Policy& p) { p.alpha = 0; }), HasSubstr("'alpha'"));
  EXPECT_THAT(refusal([](Policy& p) { p.alpha = nan; }), HasSubstr("'alpha'"));
  EXPECT_THAT(refusal([](Policy& p) { p.beta = 0.51; }), HasSubstr("'beta'"));
  EXPECT_THAT(refusal([](Policy& p) { p.prior_spread = -1; }), HasSubstr("'prior_spread'"));
  EXPECT_THAT(refusal([](Policy& p) { p.prior_weight = 0; }), HasSubstr("'prior_weight'"));
  EXPECT_THAT(refusal([](Policy& p) { p.session_gap_s = nan; }), HasSubstr("'session_gap_s'"));
  EXPECT_THAT(refusal([](Policy& p) { p.confirmed_sessions = 0; }), HasSubstr("'confirmed_sessions'"));
  EXPECT_THAT(refusal([](Policy& p) { p.coarse_limit = -0.1; }), HasSubstr("'coarse_limit'"));
  EXPECT_THAT(refusal([](Policy& p) { p.min_clean_replicates = 0; }), HasSubstr("'min_clean_replicates'"));
  EXPECT_THAT(refusal([](Policy& p) { p.exact_tolerance["x"] = -1; }), HasSubstr("'exact_tolerance.x'"));
  EXPECT_THAT(refusal([](Policy& p) { p.exact_tolerance["stream_hazards"] = 1; }),
              HasSubstr("'exact_tolerance.stream_hazards' must be left out: above 0 it is red under any tolerance"));
  EXPECT_THAT(refusal([](Policy& p) { p.bytes_tolerance = -1; }), HasSubstr("'bytes_tolerance'"));
  EXPECT_THAT(refusal([](Policy& p) { p.bytes_relative_tolerance = nan; }), HasSubstr("'bytes_relative_tolerance'"));
  EXPECT_THAT(refusal([](Policy& p) { p.loss_rtol = nan; }), HasSubstr("'loss_rtol'"));
  EXPECT_THAT(refusal([](Policy& p) { p.loss_atol = -1; }), HasSubstr("'loss_atol'"));
  EXPECT_THAT(refusal([](Policy& p) { p.grad_norm_rtol = -1; }), HasSubstr("'grad_norm_rtol'"));
  EXPECT_THAT(refusal([](Policy& p) { p.low_precision_rtol = -1; }), HasSubstr("'low_precision_rtol'"));
  EXPECT_THAT(refusal([](Policy& p) { p.numeric_steps = 0; }), HasSubstr("'numeric_steps'"));
  EXPECT_THAT(refusal([](Policy& p) { p.budgets["x"] = 0; }), HasSubstr("'budgets.x' must be above 0"));
  EXPECT_THAT(refusal([](Policy& p) { p.waivers = {{"", "", "", "soon", ""}}; }), HasSubstr("'waivers.until'"));
}

TEST(PolicyCheck, DatesHaveOneForm) {
  EXPECT_TRUE(is_date("2026-11-21"));
  for (const char* other : {"2026-11-2", "2026/11/21", "21-11-2026", "2026-11-21 ", "", "2026-1a-21"}) {
    EXPECT_FALSE(is_date(other)) << other;
  }
}

}  // namespace
}  // namespace stepgate
