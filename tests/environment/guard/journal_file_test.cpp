#include "environment/guard/journal_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "environment/fake_root.h"
#include "environment/guard/recovery.h"
#include "environment/stub_host.h"
#include "json/expect_error.h"
#include "json/stored/journal_json.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

class JournalFileTest : public testing::Test {
 protected:
  JournalFileTest() {
    FakeRoot machine;
    machine.write("sys/knob", "1");
    machine.write("etc/passwd", "root");
    host_ = std::make_unique<StubHost>(machine.path());
  }

  void leave(const std::string& target) const {
    const KnobChange change{"turbo", ChangeKind::file, target, "original", "1", 50};
    state_.write("guard.journal", journal_line(JournalRun{}) + journal_line(0, change));
  }
  fs::path journal() const { return journal_path(state_.path()); }
  Recovery recovered() { return recover({*host_, nullptr}, state_.path()); }
  void expect_refused(const std::vector<std::string>& parts) {
    expect_error([&] { recovered(); }, ErrorKind::measure, parts);
    EXPECT_TRUE(host_->writes().empty());
    EXPECT_TRUE(fs::exists(journal()));
    EXPECT_TRUE(left_by_dead_run(*host_, state_.path()));
  }

  FakeRoot state_;
  std::unique_ptr<StubHost> host_;
};

TEST_F(JournalFileTest, IsObeyedWhereItBelongsToThisUser) {
  leave("/sys/knob");
  EXPECT_EQ(recovered().outcome.restored, 1);
  EXPECT_EQ(host_->read("/sys/knob"), "original");
}

TEST_F(JournalFileTest, ItsTimeLeadsNowhereElse) {
  for (const char* hostile : {"/../../x", "../x", ""}) {
    JournalRun run;
    run.utc = hostile;
    // The host has 1, which is neither: somebody changed it since, and a file says so.
    const KnobChange change{"turbo", ChangeKind::file, "/sys/knob", "original", "2", 50};
    state_.write("guard.journal", journal_line(run) + journal_line(0, change) + applied_line(0, "2"));
    EXPECT_EQ(recovered().conflicts_file, state_.path() / "conflicts-unknown.txt") << hostile;
  }
}

TEST_F(JournalFileTest, OfAnotherUserIsNotObeyed) {
  leave("/sys/knob");
  if (::chown(journal().c_str(), 1234, 1234) != 0) GTEST_SKIP() << "only root can give a file away";
  expect_refused({journal().string(), "belongs to user 1234", "nothing is restored"});
}

TEST_F(JournalFileTest, ThatOthersMayWriteIsNotObeyedByRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root is asked to be careful";
  leave("/sys/knob");
  ASSERT_EQ(::chmod(journal().c_str(), 0666), 0);
  expect_refused({"others may write the journal"});
  ASSERT_EQ(::chmod(journal().c_str(), 0644), 0);
  ASSERT_EQ(::link(journal().c_str(), (state_.path() / "second").c_str()), 0);
  expect_refused({"others may write the journal"});
}

TEST_F(JournalFileTest, ThatIsALinkOrAFifoIsNotObeyed) {
  leave("/sys/knob");
  fs::rename(journal(), state_.path() / "elsewhere");
  fs::create_symlink(state_.path() / "elsewhere", journal());
  expect_refused({"symbolic links"});
  fs::remove(journal());
  ASSERT_EQ(::mkfifo(journal().c_str(), 0600), 0);
  expect_refused({"it is a FIFO"});
}

TEST_F(JournalFileTest, RestoresOnlyBelowSysAndProc) {
  for (const char* target : {"/etc/passwd", "/sys/../etc/passwd", "/system", "sys/knob", "/proc", ""}) {
    leave(target);
    expect_refused({std::string("the journal names ") + target, "not below /sys or /proc"});
  }
}

}  // namespace
}  // namespace stepgate
