#include "baseline/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/canonical_form.h"
#include "baseline/sample_baseline.h"
#include "json/stored/baseline_json.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* place = "portable/suite/case_one/tiny.json";

Baseline with_reason(Baseline baseline) {
  baseline.provenance.reason = "first";
  return baseline;
}

std::vector<std::string> codes_of(const LintResult& result) {
  std::vector<std::string> codes;
  for (const LintProblem& problem : result.problems) codes.push_back(problem.code);
  return codes;
}

TEST(Lint, ALinkIsNamedAndNotRead) {
  const TemporaryFolder elsewhere;
  const auto sound = elsewhere.write("tiny.json", to_text(with_reason(portable_sample())));
  const TemporaryFolder root;
  std::filesystem::create_directories((root.path() / place).parent_path());
  std::filesystem::create_symlink(sound, root.path() / place);
  std::filesystem::create_directory_symlink(elsewhere.path(), root.path() / "local");
  EXPECT_THAT(codes_of(lint_baselines(root.path(), nullptr)), ElementsAre("link", "link"));
}

TEST(Lint, FindsNothingWrongWithASoundTree) {
  const TemporaryFolder root;
  root.write(place, to_text(with_reason(portable_sample())));
  root.write("README.md", "what lies here");
  root.write(".lock", "");
  const LintResult result = lint_baselines(root.path(), nullptr);
  EXPECT_EQ(result.files, 1U);
  EXPECT_THAT(codes_of(result), IsEmpty());
}

TEST(Lint, FindsConflictMarkersWithTheirLine) {
  const TemporaryFolder root;
  root.write(place, "{\n<<<<<<< HEAD\n");
  const LintResult result = lint_baselines(root.path(), nullptr);
  EXPECT_THAT(codes_of(result), ElementsAre("conflict-markers"));
  EXPECT_EQ(result.problems[0].line, 2);
}

TEST(Lint, NamesTheLineThatIsNotCanonical) {
  const TemporaryFolder root;
  std::string text = to_text(with_reason(portable_sample()));
  const std::size_t second_line = text.find('\n') + 1;
  text.insert(second_line, " ");
  root.write(place, text);
  const LintResult result = lint_baselines(root.path(), nullptr);
  EXPECT_THAT(codes_of(result), ElementsAre("not-canonical"));
  EXPECT_EQ(result.problems[0].line, 2);
}

TEST(Lint, FmtMakesFilesCanonicalAndASecondRunChangesNothing) {
  const TemporaryFolder root;
  const std::string canonical = to_text(with_reason(portable_sample()));
  root.write(place, canonical + "\n\n");
  EXPECT_THAT(rewrite_canonical(root.path(), ""), ElementsAre(root.path() / place));
  EXPECT_EQ(text_of(root.path() / place), canonical);
  EXPECT_THAT(rewrite_canonical(root.path(), ""), IsEmpty());
}

TEST(Lint, FindsWhatIsInTheWrongPlaceOrHasNoReason) {
  const TemporaryFolder root;
  root.write("portable/suite/other.json", to_text(portable_sample()));
  EXPECT_THAT(codes_of(lint_baselines(root.path(), nullptr)), ElementsAre("wrong-place", "no-reason"));
}

TEST(Lint, FindsAKeyWithoutAFact) {
  const TemporaryFolder root;
  Baseline anywhere = with_reason(portable_sample());
  anywhere.key.clear();
  root.write(place, to_text(anywhere));
  EXPECT_THAT(codes_of(lint_baselines(root.path(), nullptr)), ElementsAre("empty-key"));
}

TEST(Lint, CountsBaselinesOfUncommittedCode) {
  const TemporaryFolder root;
  Baseline dirty = with_reason(portable_sample());
  dirty.provenance.commit = "1111111-dirty";
  root.write(place, to_text(dirty));
  const LintResult result = lint_baselines(root.path(), nullptr);
  EXPECT_THAT(codes_of(result), IsEmpty());
  EXPECT_EQ(result.dirty, 1U);
}

TEST(Lint, FindsStrayFiles) {
  const TemporaryFolder root;
  root.write("portable/suite/.stepgate-1-0.tmp", "half");
  root.write("portable/notes.txt", "x");
  root.write("tiny.json", "{}");
  const LintResult result = lint_baselines(root.path(), nullptr);
  EXPECT_THAT(codes_of(result), ElementsAre("stray-file", "stray-file", "stray-file"));
  EXPECT_EQ(result.files, 0U);
}

TEST(Lint, FindsOrphansOnlyWhereTheCasesAreKnown) {
  const TemporaryFolder root;
  root.write(place, to_text(with_reason(portable_sample())));
  Manifest manifest;
  EXPECT_THAT(codes_of(lint_baselines(root.path(), &manifest)), ElementsAre("orphan"));
  manifest.cases.push_back({"suite/case_one/tiny", "suite", "", Device::cpu, 300});
  EXPECT_THAT(codes_of(lint_baselines(root.path(), &manifest)), IsEmpty());
}

TEST(Lint, FindsSessionsThatNoToolWouldHaveWritten) {
  const TemporaryFolder root;
  Baseline baseline = with_reason(runner_sample(2000));
  baseline.sessions.push_back(session_at(1000, 1e7));
  baseline.sessions.push_back(session_at(2000, 1e7));
  root.write("h200-16c/suite/case_one/tiny.json", to_text(baseline));
  EXPECT_THAT(codes_of(lint_baselines(root.path(), nullptr)), ElementsAre("unsorted-sessions", "duplicate-session"));
  for (std::int64_t i = 0; i < 20; ++i) baseline.sessions.push_back(session_at(3000 + i, 1e7));
  root.write("h200-16c/suite/case_one/tiny.json", to_text(baseline));
  EXPECT_THAT(codes_of(lint_baselines(root.path(), nullptr)).front(), "too-many-sessions");
}

TEST(Lint, ReportsWhatItCannotRead) {
  const TemporaryFolder root;
  std::string infinite = to_text(with_reason(portable_sample()));
  infinite.replace(infinite.find("3.5"), 3, "1e999");
  root.write(place, infinite);
  root.write("portable/suite/cut.json", "{\"schema\": {");
  const LintResult result = lint_baselines(root.path(), nullptr);
  EXPECT_THAT(codes_of(result), ElementsAre("unreadable", "unreadable"));
  EXPECT_THAT(result.problems[0].message, HasSubstr("tiny.json"));
  EXPECT_EQ(result.files, 2U);
}

TEST(Lint, ABaselineThatHoldsNothingIsAProblem) {
  const TemporaryFolder root;
  Baseline baseline = with_reason(portable_sample());
  baseline.exact.clear();
  baseline.bytes.clear();
  baseline.numerics.reset();
  root.write(place, to_text(baseline));
  EXPECT_THAT(codes_of(lint_baselines(root.path(), nullptr)), ElementsAre("empty"));
}

TEST(Lint, NeedsAFolder) {
  EXPECT_THAT(error_of([] { lint_baselines("/nowhere/at/all", nullptr); }), HasSubstr("is not a folder"));
}

TEST(LintBaselines, CountersOfAGpuLieInTheirOwnFileWithoutSessions) {
  const TemporaryFolder root;
  Baseline counters = device_sample();
  counters.provenance.reason = "first";
  root.write("h200-16c/suite/case_one/tiny.exact.json", to_text(counters));
  EXPECT_TRUE(lint_baselines(root.path(), nullptr).problems.empty());
  root.write("h200-16c/suite/case_one/tiny.json", to_text(counters));
  const auto misplaced = lint_baselines(root.path(), nullptr).problems;
  ASSERT_EQ(misplaced.size(), 1U);
  EXPECT_EQ(misplaced[0].code, "wrong-place");
  counters.sessions = runner_sample().sessions;
  root.write("h200-16c/suite/case_one/tiny.exact.json", to_text(counters));
  const auto mixed = lint_baselines(root.path(), nullptr).problems;
  ASSERT_EQ(mixed.size(), 2U);
  EXPECT_EQ(mixed[0].code, "times-beside-counters");
}

}  // namespace
}  // namespace stepgate
