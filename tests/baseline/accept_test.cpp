#include "baseline/accept.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <optional>

#include "baseline/baseline_lock.h"
#include "baseline/find_baseline.h"
#include "baseline/lint.h"
#include "baseline/pending.h"
#include "baseline/sample_baseline.h"
#include "support/file_size_limit.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Accept : public testing::Test {
 protected:
  AcceptRequest request(std::vector<std::filesystem::path> files) const {
    AcceptRequest made;
    made.pending = std::move(files);
    made.baseline_root = root();
    made.reason = "the new attention needs one copy more";
    made.utc = "2026-11-21T10:00:00Z";
    made.commit = "4444444";
    return made;
  }
  std::filesystem::path root() const { return folder_.path() / "baselines"; }
  std::filesystem::path portable_file() const { return root() / "portable/suite/case_one/tiny.json"; }
  std::filesystem::path pend(const Baseline& baseline, const std::string& out = "out") const {
    return write_pending(folder_.path() / out, baseline);
  }

  TemporaryFolder folder_;
};

TEST_F(Accept, WritesTheFirstBaselineWithItsProvenance) {
  const auto written = accept(request({pend(portable_sample())}));
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written[0].file, portable_file());
  EXPECT_EQ(written[0].kind, AcceptKind::created);
  const Baseline stored = read_baseline(portable_file());
  EXPECT_EQ(stored.provenance.reason, "the new attention needs one copy more");
  EXPECT_EQ(stored.provenance.utc, "2026-11-21T10:00:00Z");
  EXPECT_EQ(stored.provenance.commit, "1111111");  // the measured commit, not the one that is checked out now
  EXPECT_FALSE(stored.provenance.local);
  EXPECT_EQ(stored.provenance.previous, "");
  EXPECT_THAT(lint_baselines(root(), nullptr).problems, IsEmpty());
}

TEST_F(Accept, ReplacingRemembersWhatMovedMost) {
  accept(request({pend(portable_sample())}));
  Baseline pending = portable_sample();
  pending.exact["operators_per_step"] = {413, 413};
  AcceptRequest again = request({pend(pending)});
  again.local = true;
  accept(again);
  const Baseline stored = read_baseline(portable_file());
  EXPECT_EQ(stored.provenance.previous, "operators_per_step 412 -> 413 (+0.24 %)");
  EXPECT_TRUE(stored.provenance.local);
  EXPECT_EQ(stored.anchor->values.at("operators_per_step"), 412);
}

TEST_F(Accept, NoLinkBelowTheBaselinesIsFollowed) {
  const TemporaryFolder elsewhere;
  std::filesystem::create_directories(root());
  std::filesystem::create_directory_symlink(elsewhere.path(), root() / "portable");
  AcceptRequest again = request({pend(portable_sample())});
  for (const bool replace : {false, true}) {
    again.replace = replace;
    EXPECT_THAT(error_of([&] { accept(again); }), HasSubstr("portable: it is a symbolic link")) << replace;
  }
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
}

TEST_F(Accept, NamesTheGuardedMetricsThatAreGone) {
  Baseline first = portable_sample();
  first.numerics->further_losses["critic"] = {2.0, 1.9};
  accept(request({pend(first)}));
  Baseline fewer = portable_sample();
  fewer.bytes.clear();
  const auto written = accept(request({pend(fewer)}));
  ASSERT_EQ(written.size(), 1U);
  EXPECT_THAT(written[0].notes,
              ElementsAre("no longer in the baseline, so no longer guarded: peak_allocated_bytes, loss[critic]"));
  EXPECT_THAT(accept(request({pend(first)}))[0].notes, IsEmpty()) << "metrics that are new";
}

TEST_F(Accept, IsForAPersonWithAReason) {
  AcceptRequest bad = request({pend(portable_sample())});
  bad.ci = true;
  EXPECT_THAT(error_of([&] { accept(bad); }), StartsWith("usage baseline accept is for a person"));
  bad = request({pend(portable_sample())});
  bad.reason = " \t";
  EXPECT_THAT(error_of([&] { accept(bad); }), StartsWith("usage baseline accept needs --reason"));
  for (const char* only_dots : {"...", ". . .", "\u2026"}) {
    bad.reason = only_dots;
    EXPECT_THAT(error_of([&] { accept(bad); }), StartsWith("usage the reason says nothing")) << only_dots;
  }
  bad.reason = "two\nlines";
  EXPECT_THAT(error_of([&] { accept(bad); }), HasSubstr("one line"));
  EXPECT_THAT(error_of([&] { accept(request({})); }), StartsWith("usage no pending baseline"));
  EXPECT_FALSE(std::filesystem::exists(portable_file()));
}

TEST_F(Accept, WritesNothingWhereOneFileIsDamaged) {
  const auto good = pend(portable_sample());
  const auto bad = folder_.write("out/pending/portable/suite/other/tiny.json", "{\"schema\": ");
  EXPECT_THAT(error_of([&] { accept(request({good, bad})); }), AllOf(StartsWith("baseline "), HasSubstr("other")));
  EXPECT_FALSE(std::filesystem::exists(portable_file()));
}

TEST_F(Accept, AppendsSeveralSessionsOfOneCaseAtOnce) {
  const auto written = accept(request({pend(runner_sample(1000, 1e7), "a"), pend(runner_sample(9000, 1.01e7), "b")}));
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(read_baseline(written[0].file).sessions.size(), 2U);
  EXPECT_THAT(error_of([&] { accept(request({pend(runner_sample(9000, 1.02e7), "b")})); }),
              HasSubstr("in the baseline already"))
      << "the same session with other values";
}

TEST_F(Accept, GoesOnAfterAFailureHalfWay) {
  Baseline second = runner_sample(1000, 1e7);
  second.case_name = "suite/case_two/tiny";
  second.sessions.front().timed["forward_ns"] = std::vector<double>(4000, 1e7);
  const auto files = std::vector{pend(runner_sample(1000, 1e7)), pend(second)};
  const auto failed = [&] {
    const FileSizeLimit full(16384);
    return error_of([&] { accept(request(files)); });
  }();
  EXPECT_THAT(failed, HasSubstr("already written: " + (root() / "h200-16c/suite/case_one/tiny.json").string()));
  EXPECT_THAT(failed, HasSubstr("repeat the command"));
  const auto written = accept(request(files));
  ASSERT_EQ(written.size(), 2U);
  EXPECT_EQ(written[0].kind, AcceptKind::unchanged);
  EXPECT_THAT(written[0].notes, ElementsAre("its sessions are stored already"));
  EXPECT_EQ(written[1].kind, AcceptKind::created);
}

TEST_F(Accept, RefusesValuesOfOtherOptionsUnlessTold) {
  Baseline pending = portable_sample();
  pending.provenance.options = "--seed 7";
  pending.key["seed"] = "7";
  EXPECT_THAT(error_of([&] { accept(request({pend(pending)})); }),
              AllOf(StartsWith("usage "), HasSubstr("measured with --seed 7"), HasSubstr("--other-options")));
  EXPECT_FALSE(std::filesystem::exists(portable_file()));
  AcceptRequest told = request({pend(pending)});
  told.other_options = true;
  EXPECT_EQ(accept(told)[0].measured.options, "--seed 7");
  EXPECT_EQ(read_baseline(portable_file()).provenance.options, "--seed 7");
  pending.exact["operators_per_step"] = {413, 413};
  EXPECT_EQ(accept(request({pend(pending)}))[0].kind, AcceptKind::replaced) << "the committed one has the same options";
}

TEST_F(Accept, RefusesASessionThatIsTooShortForAVerdict) {
  Baseline pending = runner_sample();
  pending.sessions[0].timed["step_time_ns"] = {1e7, 1e7};
  EXPECT_THAT(
      error_of([&] { accept(request({pend(pending)})); }),
      AllOf(StartsWith("usage "), HasSubstr("2 clean processes, and a verdict needs 3"), HasSubstr("--replicates 5")));
  AcceptRequest two = request({pend(pending)});
  two.fewest_processes = {{pending.case_name, 2}};
  EXPECT_EQ(accept(two)[0].kind, AcceptKind::created);
}

TEST_F(Accept, SaysWhatChangedInTheKey) {
  EXPECT_THAT(accept(request({pend(portable_sample())}))[0].key_changes, IsEmpty());
  Baseline pending = portable_sample();
  pending.key["torch"] = "2.12.0";
  const auto changes = accept(request({pend(pending)}))[0].key_changes;
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].key, "torch");
  EXPECT_EQ(changes[0].expected, "2.11.0");
  EXPECT_EQ(changes[0].found, "2.12.0");
}

TEST_F(Accept, RefusesTwoPortableFilesForOneCase) {
  EXPECT_THAT(error_of([&] {
                accept(request({pend(portable_sample(), "a"), pend(portable_sample(), "b")}));
              }),
              HasSubstr("a second pending file for"));
}

TEST_F(Accept, NamesWhoHoldsTheLock) {
  const auto file = pend(portable_sample());
  const BaselineLock held(root(), "2026-11-21T09:59:00Z");
  EXPECT_THAT(error_of([&] { accept(request({file})); }),
              AllOf(StartsWith("usage "), HasSubstr("process " + std::to_string(getpid())),
                    HasSubstr("since 2026-11-21T09:59:00Z")));
}

TEST_F(Accept, LeavesTheLockFreeAfterARefusal) {
  accept(request({pend(runner_sample(1000, 1e7))}));
  error_of([&] { accept(request({pend(runner_sample(9000, 2e7))})); });
  EXPECT_NO_THROW(BaselineLock(root(), ""));
}

TEST_F(Accept, LeavesNoLockFileBehind) {
  accept(request({pend(portable_sample())}));
  EXPECT_FALSE(std::filesystem::exists(root() / lock_file_name)) << "it would get into version control";
  folder_.write("baselines/.lock", "process 1 since yesterday\n");  // of a writer that was killed
  EXPECT_NO_THROW(BaselineLock(root(), ""));
}

TEST_F(Accept, ALockFileThatLostItsNameLocksNothing) {
  auto first = std::make_optional<BaselineLock>(root(), "first");
  const Descriptor waiting(open((root() / lock_file_name).c_str(), O_RDWR | O_CLOEXEC));
  first.reset();
  ASSERT_EQ(flock(waiting.number(), LOCK_EX | LOCK_NB), 0);
  EXPECT_NO_THROW(BaselineLock(root(), "second"));
}

TEST_F(Accept, NamesTheFolderThatCannotBeCreated) {
  folder_.write("file", "");
  AcceptRequest blocked = request({pend(portable_sample())});
  blocked.baseline_root = folder_.path() / "file/baselines";
  EXPECT_THAT(error_of([&] { accept(blocked); }),
              AllOf(StartsWith("baseline cannot create "), HasSubstr("file/baselines: Not a directory")));
}

TEST_F(Accept, GoesOverADamagedFileOnlyWhenToldToReplace) {
  folder_.write("baselines/portable/suite/case_one/tiny.json", "<<<<<<< HEAD\n");
  EXPECT_THAT(error_of([&] { accept(request({pend(portable_sample())})); }), StartsWith("baseline "));
  AcceptRequest replace = request({pend(portable_sample())});
  replace.replace = true;
  EXPECT_EQ(accept(replace)[0].kind, AcceptKind::created);
}

TEST_F(Accept, SaysThatTheTreeHadUncommittedChanges) {
  Baseline pending = portable_sample();
  pending.provenance.commit = "1111111-dirty";
  EXPECT_THAT(accept(request({pend(pending)}))[0].notes, ElementsAre(HasSubstr("uncommitted changes")));
  pending.provenance.commit = "";
  pending.exact["operators_per_step"] = {413, 413};
  AcceptRequest dirty = request({pend(pending)});
  dirty.commit = "4444444-dirty";
  EXPECT_THAT(accept(dirty)[0].notes, ElementsAre(HasSubstr("4444444-dirty")));
}

TEST_F(Accept, LeavesAnEqualBaselineUntouched) {
  accept(request({pend(portable_sample())}));
  const std::string before = text_of(portable_file());
  AcceptRequest again = request({pend(portable_sample())});
  again.reason = "no reason at all";
  EXPECT_EQ(accept(again)[0].kind, AcceptKind::unchanged);
  EXPECT_EQ(text_of(portable_file()), before);
}

TEST_F(Accept, BothHalvesOfAGpuCaseAreStoredWhicheverWasMeasuredLast) {
  const auto exact = pend(device_sample());
  const auto timed = pend(runner_sample());
  EXPECT_NE(exact, timed) << "the second test of a case must not overwrite what the first one left";
  const auto written = accept(request({exact, timed}));
  ASSERT_EQ(written.size(), 2U);
  EXPECT_EQ(read_baseline(root() / "h200-16c/suite/case_one/tiny.exact.json").exact, device_sample().exact);
  EXPECT_EQ(read_baseline(root() / "h200-16c/suite/case_one/tiny.json").sessions.size(), 1U);
  EXPECT_THAT(lint_baselines(root(), nullptr).problems, IsEmpty());
}

}  // namespace
}  // namespace stepgate
