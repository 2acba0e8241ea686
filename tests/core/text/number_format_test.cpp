#include "core/text/number_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stepgate {
namespace {

TEST(NumberFormat, DurationsKeepThreeToFourDigits) {
  EXPECT_EQ(duration_text(812), "812 ns");
  EXPECT_EQ(duration_text(4130), "4.13 us");
  EXPECT_EQ(duration_text(14.31e6), "14.3 ms");
  EXPECT_EQ(duration_text(143.2e6), "143.2 ms");
  EXPECT_EQ(duration_text(2.054e9), "2.05 s");
  EXPECT_EQ(duration_text(-4.1e6), "-4.10 ms");
  EXPECT_EQ(duration_text(0), "0 ns");
}

TEST(NumberFormat, RoundingNeverShowsAThousandOfAUnit) {
  EXPECT_EQ(duration_text(999.96e3), "1.00 ms");
  EXPECT_EQ(duration_text(9.999e6), "10.0 ms");
}

TEST(NumberFormat, BytesAreBinary) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1.00 KiB");
  EXPECT_EQ(bytes_text(1310720), "1.25 MiB");
  EXPECT_EQ(bytes_text(139.0 * 1024 * 1024 * 1024), "139.0 GiB");
  EXPECT_EQ(exact_bytes_text(1310724), "1 310 724 B");
}

TEST(NumberFormat, CountsAreGrouped) {
  EXPECT_EQ(count_text(2155), "2 155");
  EXPECT_EQ(count_text(155), "155");
  EXPECT_EQ(count_text(1234567.25), "1 234 567.25");
  EXPECT_EQ(count_text(-2155), "-2 155");
  EXPECT_EQ(count_text(-0.0), "0");
}

TEST(NumberFormat, ChangesKeepTwoDigitsHoweverSmall) {
  EXPECT_EQ(change_text(0.012), "+1.2 %");
  EXPECT_EQ(change_text(-0.301), "-30.1 %");
  EXPECT_EQ(change_text(0.0024271), "+0.24 %");
  EXPECT_EQ(change_text(4.0 / 1310720), "+0.00031 %");
  EXPECT_EQ(change_text(1.0 / (10.0 * 1024 * 1024 * 1024)), "+9e-09 %");
  EXPECT_EQ(change_text(0.00099999999), "+0.10 %");
  EXPECT_EQ(change_text(0), "0 %");
  EXPECT_EQ(change_text(12.34), "+1 234 %");
}

TEST(NumberFormat, SizesHaveNoSignAndNoExponent) {
  EXPECT_EQ(percent_text(0.073), "7.3 %");
  EXPECT_EQ(percent_text(7.1), "710.0 %");
  EXPECT_EQ(percent_text(71.0), "7 100 %");
  EXPECT_EQ(percent_text(0), "0 %");
}

TEST(NumberFormat, FiguresHaveThreeDigitsOrAllBeforeThePoint) {
  EXPECT_EQ(figure_text(0.0341), "0.0341");
  EXPECT_EQ(figure_text(12.34), "12.3");
  EXPECT_EQ(figure_text(1234.4), "1 234");
  EXPECT_EQ(figure_text(99.97), "100");
  EXPECT_EQ(figure_text(0), "0");
}

TEST(NumberFormat, IntervalsAreTwoChanges) {
  EXPECT_EQ(interval_text(0.051, 0.102), "[+5.1 %, +10.2 %]");
  EXPECT_EQ(interval_text(-0.0123, 0), "[-1.2 %, 0 %]");
}

TEST(NumberFormat, OneIsNotPlural) {
  EXPECT_EQ(counted(1, "case"), "1 case");
  EXPECT_EQ(counted(0, "case"), "0 cases");
  EXPECT_EQ(counted(2155, "process", "processes"), "2 155 processes");
  EXPECT_EQ(counted(1, "process", "processes"), "1 process");
}

TEST(NumberFormat, MeansOverStepsKeepTheirFraction) {
  EXPECT_EQ(quantity_text(MetricUnit::count, 237.25), "237.25");
  EXPECT_EQ(difference_text(MetricUnit::count, 0.25), "+0.25");
}

TEST(NumberFormat, SharesHaveOneDecimal) {
  EXPECT_EQ(share_text(0.12345), "12.3 %");
  EXPECT_EQ(share_text(0), "0.0 %");
  EXPECT_EQ(share_text(1), "100.0 %");
}

TEST(NumberFormat, QuantitiesGoByTheirUnit) {
  EXPECT_EQ(quantity_text(MetricUnit::tokens_per_s, 71650), "71 650 tokens/s");
  EXPECT_EQ(quantity_text(MetricUnit::samples_per_s, 12.345), "12.3 samples/s");
  EXPECT_EQ(quantity_text(MetricUnit::ratio, 0.2), "0.200");
  EXPECT_EQ(quantity_text(MetricUnit::none, 4.17431), "4.17431");
}

TEST(NumberFormat, TwoValuesThatDifferLookDifferent) {
  EXPECT_EQ(two_quantities(MetricUnit::bytes, 4095, 4096).first, "4 095 B");
  EXPECT_EQ(two_quantities(MetricUnit::bytes, 4095, 4096).second, "4 096 B");
  EXPECT_EQ(two_quantities(MetricUnit::bytes, 4096, 4096).first, "4.00 KiB");
  EXPECT_EQ(two_quantities(MetricUnit::bytes, 4096, 8192).second, "8.00 KiB");
  EXPECT_EQ(two_quantities(MetricUnit::ns, 20.01e6, 20.02e6).second, "20 020 000 ns");
}

TEST(NumberFormat, SmallDifferencesOfBytesAreExact) {
  EXPECT_EQ(difference_text(MetricUnit::bytes, 4), "+4 B");
  EXPECT_EQ(difference_text(MetricUnit::bytes, -1536), "-1 536 B");
  EXPECT_EQ(difference_text(MetricUnit::bytes, 1310720), "+1.25 MiB");
  EXPECT_EQ(difference_text(MetricUnit::count, 1), "+1");
  EXPECT_EQ(difference_text(MetricUnit::ns, 4.1e6), "+4.10 ms");
  EXPECT_EQ(difference_text(MetricUnit::count, 0), "0");
}

TEST(NumberFormat, SaysWhatIsNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(duration_text(std::nan("")), "NaN");
  EXPECT_EQ(bytes_text(infinity), "inf");
  EXPECT_EQ(count_text(-infinity), "-inf");
  EXPECT_EQ(change_text(infinity), "inf");
  EXPECT_EQ(difference_text(MetricUnit::bytes, std::nan("")), "NaN");
}

TEST(QuantityText, OfEnergyAndStepsASecond) {
  EXPECT_EQ(quantity_text(MetricUnit::joule, 12.34), "12.3 J");
  EXPECT_EQ(quantity_text(MetricUnit::joule, 0.384), "384.0 mJ");
  EXPECT_EQ(quantity_text(MetricUnit::joule, 2500), "2.50 kJ");
  EXPECT_EQ(quantity_text(MetricUnit::joule, 0), "0 uJ");
  EXPECT_EQ(quantity_text(MetricUnit::steps_per_s, 140.2), "140 steps/s");
}

}  // namespace
}  // namespace stepgate
