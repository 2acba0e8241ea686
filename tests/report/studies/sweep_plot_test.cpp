#include "report/studies/sweep_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "support/golden.h"
#include "support/sample_sweep.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(svg.c_str())) << svg;
  return document;
}

std::size_t count(const pugi::xml_document& document, const char* query) { return document.select_nodes(query).size(); }

TEST(SweepPlot, LooksAsApproved) { expect_golden("sweep.svg", render_sweep_plot(sample_sweep())); }

TEST(SweepPlot, HasALineForEachValueOfTheSecondParameter) {
  const auto document = parsed(render_sweep_plot(sample_sweep()));
  EXPECT_EQ(count(document, "//polyline"), 2u);
  EXPECT_EQ(count(document, "//circle[@class='ring']"), 1u) << "one best";
  EXPECT_EQ(count(document, "//line[@class='knee']"), 1u);
  EXPECT_EQ(count(document, "//path[@class='mark']"), 7u + 2u) << "seven settings that were measured, two names";
  EXPECT_EQ(count(document, "//script"), 0u);
}

TEST(SweepPlot, HoldsWhatItCannotShowAtTheBestSetting) {
  Sweep sweep = sample_sweep();
  sweep.parameters.push_back({"pin", {"0", "1"}});
  for (std::size_t i = 0; i < sweep.settings.size(); ++i) sweep.settings[i].values.emplace_back(i == 0 ? "1" : "0");
  const std::string svg = render_sweep_plot(sweep);
  EXPECT_THAT(svg, HasSubstr("; pin=0"));
  EXPECT_EQ(count(parsed(svg), "//path[@class='mark']"), 6u + 2u) << "the setting with pin=1 is elsewhere";
}

TEST(SweepPlot, OneParameterIsOneLineWithoutAName) {
  Sweep sweep = sample_sweep();
  sweep.parameters.pop_back();
  for (SweepSetting& setting : sweep.settings) setting.values.pop_back();
  EXPECT_EQ(count(parsed(render_sweep_plot(sweep)), "//polyline"), 1u);
}

TEST(SweepPlot, NamesStayText) {
  Sweep sweep = sample_sweep();
  sweep.case_name = "a<script>alert(1)</script>&\"\x01/b/c";
  const std::string svg = render_sweep_plot(sweep);
  EXPECT_THAT(svg, Not(HasSubstr("<script>")));
  EXPECT_EQ(count(parsed(svg), "//script"), 0u);
}

TEST(SweepPlot, SaysWhyItIsEmpty) {
  Sweep sweep = sample_sweep();
  sweep.ranking = {};
  EXPECT_THAT(render_sweep_plot(sweep), HasSubstr("no setting could be ranked"));
  EXPECT_THAT(render_sweep_plot(Sweep{}), HasSubstr("no setting could be ranked"));
}

}  // namespace
}  // namespace stepgate
