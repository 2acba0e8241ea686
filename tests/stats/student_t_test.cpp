// Reference values: SciPy 1.17.1 (t.ppf, t.isf, t.sf, nct.sf; brentq over nct.sf for the noncentralities), computed
// once; those with two to four digits are also in every printed table of the t distribution.
#include "stats/student_t.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace stepgate {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(StudentT, QuantilesAgreeWithSciPy) {
  EXPECT_NEAR(student_t_quantile(0.95, 4), 2.1318467863266495, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 7), 2.364624251592784, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.99, 7.5), 2.943099323406721, 1e-11);
  EXPECT_NEAR(student_t_quantile(0.9, 1), 3.0776835371752544, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.05, 11), -1.795884818704044, 1e-12);
}

TEST(StudentT, UpperQuantilesKeepTheirDigitsInTheFarTail) {
  EXPECT_NEAR(student_t_upper_quantile(0.05 / 60, 4), 7.5286714129861, 1e-10);
  EXPECT_NEAR(student_t_upper_quantile(1e-5, 8), 8.907026870843438, 1e-10);
  EXPECT_NEAR(student_t_upper_quantile(1e-18, 30), 19.236156338468483, 1e-9);
}

TEST(StudentT, UpperTailsAgreeWithSciPy) {
  EXPECT_NEAR(student_t_upper_tail(2.5, 7), 0.020496109292876444, 1e-14);
  EXPECT_NEAR(student_t_upper_tail(10, 4), 0.0002810018113579955, 1e-15);
  EXPECT_NEAR(student_t_upper_tail(-1.2, 5), 0.8580544716469487, 1e-13);
}

TEST(StudentT, PowerAgreesWithSciPy) {
  EXPECT_NEAR(one_sided_power(2.0, 7, 3.0), 0.8284542428082415, 1e-10);
  EXPECT_NEAR(one_sided_power(5.0, 4, 9.0), 0.9795151101301085, 1e-10);
  EXPECT_NEAR(one_sided_power(1.645, 30, 1.0), 0.2684291642945102, 1e-10);
}

struct KnownNoncentrality {
  OneSidedTest test;
  double lambda;
};

TEST(StudentT, DetectableNoncentralitiesAgreeWithSciPy) {
  const KnownNoncentrality known[] = {
      {{.level = 0.05, .power = 0.95, .degrees_of_freedom = 7}, 3.6730150671509794},
      {{.level = 0.05, .power = 0.95, .degrees_of_freedom = 3}, 4.4563608612069725},
      {{.level = 0.05 / 60, .power = 0.95, .degrees_of_freedom = 8}, 7.042078079943359},
      {{.level = 0.05 / 60, .power = 0.95, .degrees_of_freedom = 4}, 11.868038136822534},
      {{.level = 0.05 / 3000, .power = 0.95, .degrees_of_freedom = 4}, 31.700164018763267},
      {{.level = 0.05, .power = 0.95, .degrees_of_freedom = 100}, 3.312242305752091},
      {{.level = 0.025, .power = 0.80, .degrees_of_freedom = 18}, 2.962675796977432},
  };
  for (const auto& [test, lambda] : known) {
    EXPECT_NEAR(detectable_noncentrality(test), lambda, 1e-6 * lambda)
        << "level " << test.level << ", nu " << test.degrees_of_freedom;
  }
}

TEST(StudentT, DetectableNoncentralityHoldsFarOut) {
  // One degree of freedom: chi^2(.95, 1) = 3.841458820694124, t(1-1e-4, 1) = 3183.0987571. The series overflows
  // where the exact value is still finite.
  EXPECT_NEAR(detectable_noncentrality({.level = 1e-4, .degrees_of_freedom = 1}),
              3183.0987571 * std::sqrt(3.841458820694124), 0.01);
  EXPECT_TRUE(std::isfinite(detectable_noncentrality({.level = 1e-7, .degrees_of_freedom = 0.5})));
}

TEST(StudentT, DetectableNoncentralityHasNoJumpWhereTheSeriesEnds) {
  // cot(pi a) = t(1-a, 1): 999 and 1001
  const double below =
      detectable_noncentrality({.level = std::atan(1 / 999.0) / 3.14159265358979, .degrees_of_freedom = 1});
  const double above =
      detectable_noncentrality({.level = std::atan(1 / 1001.0) / 3.14159265358979, .degrees_of_freedom = 1});
  EXPECT_NEAR(above / below, 1001.0 / 999.0, 3e-6);
}

TEST(StudentT, DetectableChangesOfTheSpecification) {
  // docs/design/statistics.md, "Detectable change": K = 4/8/12/16 pairs, 0.5 % process noise, M = 20: 5.5/2.6/2.1/1.9
  // %.
  const double expected[] = {5.5, 2.6, 2.1, 1.9};
  const double pairs[] = {4, 8, 12, 16};
  for (int i = 0; i < 4; ++i) {
    const double lambda = detectable_noncentrality({.level = 0.05 / 20, .degrees_of_freedom = pairs[i] - 1});
    const double se = 0.005 * std::sqrt(2 / pairs[i]);
    EXPECT_NEAR(100 * std::expm1(std::log1p(0.01) + lambda * se), expected[i], 0.05) << pairs[i] << " pairs";
  }
}

TEST(StudentT, RefusesWhatIsOutsideItsRange) {
  EXPECT_THROW(student_t_quantile(0, 4), std::domain_error);
  EXPECT_THROW(student_t_quantile(1, 4), std::domain_error);
  EXPECT_THROW(student_t_quantile(nan, 4), std::domain_error);
  EXPECT_THROW(student_t_quantile(0.5, 0), std::domain_error);
  EXPECT_THROW(student_t_upper_quantile(0, 4), std::domain_error);
  EXPECT_THROW(student_t_upper_quantile(0.05, -1), std::domain_error);
  EXPECT_THROW(student_t_upper_tail(nan, 4), std::domain_error);
  EXPECT_THROW(student_t_upper_tail(1, nan), std::domain_error);
  EXPECT_THROW(one_sided_power(nan, 4, 1), std::domain_error);
  EXPECT_THROW(one_sided_power(1, 0, 1), std::domain_error);
  EXPECT_THROW(detectable_noncentrality({.level = 0.95, .power = 0.05}), std::domain_error);
  EXPECT_THROW(detectable_noncentrality({.level = 0.05, .power = 1}), std::domain_error);
}

}  // namespace
}  // namespace stepgate
