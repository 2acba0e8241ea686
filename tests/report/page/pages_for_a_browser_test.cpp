// Writes pages for ci/check_pages, which opens them in a browser. Skipped elsewhere.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "report/page/gate_page.h"
#include "report/page/render_page.h"
#include "report/study_pages/study_pages.h"
#include "support/sample_ablation.h"
#include "support/sample_page.h"
#include "support/sample_profile.h"
#include "support/sample_sweep.h"

namespace stepgate {
namespace {

class PagesForABrowser : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("STEPGATE_PAGES");
    if (folder == nullptr) GTEST_SKIP() << "ci/check_pages sets STEPGATE_PAGES";
    folder_ = folder;
  }

  void write(const std::string& name, const Page& page) const {
    std::ofstream file(folder_ / (name + ".html"), std::ios::binary);
    file << render_page(page);
    EXPECT_TRUE(file.flush());
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(PagesForABrowser, OneOfEachKind) {
  RunReport report = every_status();
  report.outcomes.insert(report.outcomes.begin(), red_by_pairs());
  write("gate", gate_page({.report = report,
                           .evidence = {evidence_of_pairs(),
                                        sample_evidence("vision/resnet/small_batch", {.half = TierChoice::timed})},
                           .histories = sample_histories()}));
  const RunReport spread = report_of({red_by_pairs(), passing_timed()});
  write("nodes", gate_page({.report = spread, .evidence = {evidence_of_nodes()}}));
  const RunReport counted = report_of({regressed_exact(), passing_exact()});
  write("exact", gate_page({.report = counted, .repository_url = "https://code.example/team/project"}));
  const RunReport hostile = report_of({hostile_markup_case(), hostile_case()});
  write("hostile", gate_page({.report = hostile}));
  const RunReport green = report_of({passing_exact(), passing_timed(), passing_with_new_metric()});
  write("pass", gate_page({.report = green}));
  write("sweep", sweep_page(sample_sweep()));
  write("ablate", ablation_page(sample_ablation()));
  write("profile", profile_page(sample_profile(), ""));
}

TEST_F(PagesForABrowser, ThreeHundredFailingCases) {
  std::vector<Outcome> outcomes;
  std::vector<CaseEvidence> evidence;
  CaseHistories histories;
  for (int i = 0; i < 300; ++i) {
    outcomes.push_back(red_by_pairs());
    evidence.push_back(evidence_of_pairs());
    outcomes.back().verdict.case_name += std::to_string(i);
    evidence.back().case_name = outcomes.back().verdict.case_name;
    histories[evidence.back().case_name] = sample_histories().begin()->second;
  }
  const RunReport report = report_of(outcomes);
  write("many", gate_page({.report = report, .evidence = evidence, .histories = histories}));
}

}  // namespace
}  // namespace stepgate
