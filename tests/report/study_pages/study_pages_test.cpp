#include "report/study_pages/study_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page/page_html.h"
#include "report/page/render_page.h"
#include "support/golden.h"
#include "support/hostile_texts.h"
#include "support/sample_ablation.h"
#include "support/sample_profile.h"
#include "support/sample_sweep.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

TEST(StudyPagesGolden, OnePageOfEachKind) {
  const std::vector<std::pair<std::string, Page>> pages = {{"sweep", sweep_page(sample_sweep())},
                                                           {"ablate", ablation_page(sample_ablation())},
                                                           {"profile", profile_page(sample_profile(), "")}};
  for (const auto& [name, page] : pages) {
    const std::string html = render_page(page);
    walk_page(html);
    expect_golden("report/page/" + name + ".html", html);
  }
}

TEST(StudyPages, TheAnswerIsTheFirstSentence) {
  EXPECT_THAT(sweep_page(sample_sweep()).sentences.at(0).text, HasSubstr(" is best: "));
  EXPECT_THAT(sweep_page(Sweep{}).sentences.at(0).text, HasSubstr("no setting could be ranked"));
  EXPECT_THAT(ablation_page(Ablation{}).sentences.at(0).text, HasSubstr("no knob was measured"));
  EXPECT_EQ(profile_page(Profile{}, "").counts.at(0).text, "no bottleneck is proven");
}

TEST(StudyPages, WhatCallsCostIsASectionOfAProfile) {
  Profile profile = sample_profile();
  const std::string html = render_page(profile_page(profile, ""));
  EXPECT_THAT(html, HasSubstr("What calls cost"));
  EXPECT_THAT(html, HasSubstr("the step when they run twice"));
  EXPECT_THAT(html, HasSubstr("transformer.cpp:41 Block::forward"));
  EXPECT_THAT(html, HasSubstr("it calls nothing that may run twice"));
  profile.call_costs.clear();
  EXPECT_THAT(render_page(profile_page(profile, "")), testing::Not(HasSubstr("What calls cost")));
}

TEST(StudyPages, HostileTextsStayTexts) {
  for (const HostileText& one : hostile_texts()) {
    Sweep sweep = sample_sweep();
    sweep.case_name = sweep.parameters.front().name = sweep.settings[7].failure = one.text;
    walk_page(render_page(sweep_page(sweep)));
    Ablation ablation = sample_ablation();
    ablation.case_name = ablation.recommended = one.text;
    ablation.knobs.front().knob.name = ablation.knobs.front().knob.remedy = one.text;
    walk_page(render_page(ablation_page(ablation)));
    Profile profile = sample_profile();
    profile.case_name = profile.stopped = profile.advice.front().text = one.text;
    profile.account.front().label = profile.operators.front().site.name = one.text;
    profile.call_costs[0].name = profile.call_costs[1].at.function = profile.call_costs[3].absent = one.text;
    walk_page(render_page(profile_page(profile, "https://code.example/" + one.text)));
  }
}

}  // namespace
}  // namespace stepgate
