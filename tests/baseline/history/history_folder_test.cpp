#include "baseline/history/history_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <iterator>

#include "core/error.h"
#include "core/text/utc_time.h"
#include "json/history/history_json.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

HistorySession folder_session(const std::string& run) {
  HistorySession session{
      .runner_class = "box", .utc = "2026-11-22T05:34:50Z", .unix_s = 0, .commit = "4be1c0f", .run = run};
  session.keys = {{"k", {{"torch", "2.11"}}}};
  session.cases.push_back({.name = "a/b", .exact = {}, .timed = HistoryHalf{"k", {{"step_time_ns", 1.5e6, 5, 0.01}}}});
  return session;
}

std::string refusal_to_read(const std::filesystem::path& folder) {
  try {
    read_history(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(HistoryFolder, TwoWritersAtOnceLoseNothing) {
  const TemporaryFolder here;
  constexpr int sessions = 100;
  std::vector<pid_t> writers;
  for (int writer = 0; writer < 2; ++writer) {
    const pid_t child = fork();
    if (child == 0) {
      int status = 0;
      try {
        // Both write the even ones, each its own odd ones.
        for (int i = 0; i < sessions; ++i)
          store_session(here.path(),
                        folder_session(std::to_string(i) + (i % 2 == 0 ? "" : "-" + std::to_string(writer))));
      } catch (...) {
        status = 1;
      }
      _exit(status);
    }
    writers.push_back(child);
  }
  for (const pid_t writer : writers) {
    int status = 0;
    ASSERT_EQ(waitpid(writer, &status, 0), writer);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(read_history(here.path()).sessions.size(), 150u);
}

TEST(HistoryFolder, AFileNeverChanges) {
  const TemporaryFolder here;
  HistorySession session = folder_session("r");
  EXPECT_EQ(store_session(here.path(), session), Stored::new_file);
  EXPECT_EQ(store_session(here.path(), session), Stored::already_there);
  session.cases[0].timed->values[0].median = 2e6;
  EXPECT_THROW(store_session(here.path(), session), Error);
  EXPECT_EQ(read_history(here.path()).sessions.at(0).cases.at(0).timed->values.at(0).median, 1.5e6);
}

TEST(HistoryFolder, AFileOfOthersThatIsInTheWayStaysAndNothingLiesBesideIt) {
  const TemporaryFolder here;
  const std::filesystem::path file = here.path() / "box" / "one.json";
  EXPECT_EQ(write_once(file, "first"), Stored::new_file);
  EXPECT_EQ(write_once(file, "first"), Stored::already_there);
  EXPECT_THROW(write_once(file, "second"), Error);
  EXPECT_EQ(text_of(file), "first");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1);
}

/// What storing a changed session says; the folder must stay empty.
std::string refusal_to_store(const std::function<void(HistorySession&)>& change) {
  const TemporaryFolder here;
  HistorySession session = folder_session("r");
  change(session);
  std::string refusal;
  try {
    store_session(here.path() / "history", session);
  } catch (const Error& error) {
    refusal = error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(here.path() / "history")) << refusal;
  return refusal;
}

TEST(HistoryFolder, NoTextOfASessionLeadsOutOfTheFolder) {
  for (const char* hostile : {"/tmp/x", "../../x", "2026-11-22T05:34:50Z/../../x", ""}) {
    EXPECT_THAT(refusal_to_store([&](HistorySession& one) { one.utc = hostile; }), StartsWith("time '"));
    EXPECT_THAT(refusal_to_store([&](HistorySession& one) { one.runner_class = hostile; }), StartsWith("name '"));
    EXPECT_THAT(refusal_to_store([&](HistorySession& one) { one.run = hostile; }), StartsWith("name '"));
  }
  EXPECT_THAT(refusal_to_store([](HistorySession& one) { one.commit = "../../x"; }), StartsWith("name '"));
}

TEST(HistoryFolder, NothingIsStoredThatReadingWouldRefuse) {
  EXPECT_THAT(refusal_to_store([](HistorySession& one) { one.utc = "2026-02-31T05:34:50Z"; }), StartsWith("time '"));
  EXPECT_THAT(refusal_to_store([](HistorySession& one) { one.cases[0].timed->key = "other"; }),
              HasSubstr("its key \"other\" is not among keys"));
}

TEST(HistoryFolder, ALinkInTheFolderIsNotFollowed) {
  const TemporaryFolder here;
  const TemporaryFolder elsewhere;
  store_session(here.path(), folder_session("r"));
  std::filesystem::create_directory_symlink(elsewhere.path(), here.path() / "acknowledged");
  EXPECT_THROW(
      store_acknowledgement(
          here.path(),
          {.series = "a/b:step_time_ns@box", .commit = "4be1c0f", .reason = "r", .utc = "2026-11-22T05:34:50Z"}),
      Error);
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
  const auto other = elsewhere.write("s.json", to_text(folder_session("s")));
  std::filesystem::create_symlink(other, here.path() / "box/s.json");
  EXPECT_THAT(refusal_to_read(here.path()), HasSubstr("box/s.json: it is a symbolic link"));
}

TEST(HistoryFolder, AnImportedSessionKeepsItsRepetitions) {
  const TemporaryFolder here;
  HistorySession session = folder_session("r");
  EXPECT_EQ(to_text(session).find("repetitions"), std::string::npos);
  session.cases[0].timed->repetitions = {{"step_time_ns", 7}};
  store_session(here.path(), session);
  const History history = read_history(here.path());
  HistorySession read = history.sessions.at(0);
  EXPECT_TRUE(read.keys.empty()) << "thousands of sessions have one key: it is kept once";
  read.keys = history.keys;
  EXPECT_EQ(read.cases.at(0).timed->repetitions, session.cases[0].timed->repetitions);
  EXPECT_EQ(to_text(read), to_text(session));
  for (const char* bad : {"[7]", "0", "\"many\""}) {
    std::string text = to_text(session);
    text.replace(text.find(": 7"), 3, std::string(": ") + bad);
    here.write(session_path(session), text);
    EXPECT_NE(refusal_to_read(here.path()).find("repetitions.step_time_ns"), std::string::npos) << text;
  }
}

TEST(HistoryFolder, ARenameFindsASeriesWithColons) {
  const TemporaryFolder here;
  HistorySession session = folder_session("r");
  session.cases[0].name = "sort/BM/threads:2";
  store_session(here.path(), session);
  store_acknowledgement(
      here.path(),
      {.series = "sort/BM/threads:2:step_time_ns@box", .commit = "4be1c0f", .reason = "r", .utc = session.utc});
  here.write("renames.json", R"({"schema": {"name": "stepgate.history_renames", "major": 1, "minor": 0},
                                 "renames": [{"from": "sort/BM/threads:2", "to": "sort/BM", "commit": "4be1c0f"}]})");
  EXPECT_EQ(read_history(here.path()).acknowledged.at(0).series, "sort/BM:step_time_ns@box");
}

TEST(HistoryFolder, ASessionInTwoFilesATornFileAndAForeignOneAreNamed) {
  const TemporaryFolder here;
  store_session(here.path(), folder_session("r"));
  HistorySession other = folder_session("r");
  other.cases[0].timed->values[0].median = 2e6;
  const auto copy = here.write("box/copy.json", to_text(other));
  EXPECT_NE(refusal_to_read(here.path()).find("with other contents"), std::string::npos);
  const std::string text = to_text(folder_session("s"));
  here.write("box/copy.json", text.substr(0, text.size() / 2));
  const History with_torn_file = read_history(here.path());
  EXPECT_EQ(with_torn_file.sessions.size(), 1u);
  ASSERT_EQ(with_torn_file.unreadable.size(), 1u);
  EXPECT_THAT(with_torn_file.unreadable.front().problem, HasSubstr("cut off"));
  EXPECT_EQ(with_torn_file.unreadable.front().file, copy.string());
  EXPECT_EQ(with_torn_file.unreadable.front().runner_class, "box");
  EXPECT_EQ(with_torn_file.unreadable.front().unix_s, std::nullopt);
  here.write("box/copy.json", R"({"schema": {"name": "stepgate.sweep", "major": 1, "minor": 0}})");
  EXPECT_NE(refusal_to_read(here.path()).find(copy.string() + ": schema.name"), std::string::npos);
}

TEST(HistoryFolder, AnotherDocumentWithTheNameOfASessionIsADamagedSession) {
  const TemporaryFolder here;
  store_session(here.path(), folder_session("r"));
  for (const char* text : {"{}", R"({"schema": {"name": "stepgate.history_sessioo", "major": 1, "minor": 0}})"}) {
    here.write("box/2026/12/20261201T053450Z-4be1c0f-r.json", text);
    const History history = read_history(here.path());
    EXPECT_EQ(history.sessions.size(), 1u);
    ASSERT_EQ(history.unreadable.size(), 1u);
    EXPECT_THAT(history.unreadable.front().problem, HasSubstr("schema.name: expected"));
  }
}

TEST(HistoryFolder, ACaseThatComesTwiceIsRefusedInSortedFilesAndInOthers) {
  const auto refusal_of = [](const std::vector<std::string>& names) {
    const TemporaryFolder here;
    HistorySession session = folder_session("r");
    session.cases.clear();
    for (const std::string& name : names)
      session.cases.push_back({.name = name, .exact = {}, .timed = HistoryHalf{"k", {{"step_time_ns", 1.5e6, 5, 0}}}});
    std::string text = to_text(session);
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) text.erase(at, 1);
    here.write("box/one.json", text);
    return refusal_to_read(here.path());
  };
  EXPECT_EQ(refusal_of({"a/b", "a/c", "a/d"}), "");
  EXPECT_EQ(refusal_of({"@b/c", "a/d", "z/a"}), "");                                                  // not sorted
  EXPECT_NE(refusal_of({"@a/c", "a/c"}).find("cases.a/c: duplicate key"), std::string::npos);         // side by side
  EXPECT_NE(refusal_of({"@a/d", "a/b", "a/d"}).find("cases.a/d: duplicate key"), std::string::npos);  // apart
}

TEST(HistoryFolder, AFolderOfOtherFilesIsToldToBeNone) {
  const TemporaryFolder here;
  here.write(
      "out/a/b/timed/measurement.json",
      R"({"case": "a/b", "commit": "4be1c0f", "schema": {"name": "stepgate.measurement", "major": 1, "minor": 0}})");
  try {
    read_history(here.path());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("measurement.json: schema.name: expected"), std::string::npos);
    EXPECT_NE(error.remedy().find("name another folder (--history DIR)"), std::string::npos);
  }
}

TEST(HistoryFolder, OfManySessionsEachIsReadAndEachDamagedOneIsListed) {
  const TemporaryFolder here;
  for (int i = 100; i < 300; ++i) store_session(here.path(), folder_session(std::to_string(i)));
  const std::vector<HistorySession> sessions = read_history(here.path()).sessions;
  ASSERT_EQ(sessions.size(), 200u);
  for (std::size_t i = 0; i < sessions.size(); ++i) EXPECT_EQ(sessions[i].run, std::to_string(100 + i));
  here.write("box/2026/12/20261201T053450Z-4be1c0f-r.json", "{");
  here.write("box/2026/10/a.json", "{");
  const History history = read_history(here.path());
  EXPECT_EQ(history.sessions.size(), 200u);
  ASSERT_EQ(history.unreadable.size(), 2u);
  EXPECT_THAT(history.unreadable[0].problem, HasSubstr("10/a.json"));
  EXPECT_EQ(history.unreadable[1].unix_s, unix_seconds("2026-12-01T05:34:50Z"));
}

TEST(HistoryFolder, AFolderWithoutAnyGoodSessionSaysWhatIsWrong) {
  const TemporaryFolder here;
  EXPECT_THAT(refusal_to_read(here.path()), HasSubstr("holds no session"));
  here.write("box/a.json", "{");
  EXPECT_THAT(refusal_to_read(here.path()), HasSubstr("box/a.json"));
}

TEST(HistoryFolder, WhereACommitStandsAndWhatWasAcknowledgedIsKept) {
  const TemporaryFolder here;
  HistorySession session = folder_session("r");
  session.commit_number = 12;
  session.first_parent_number = 10;
  session.parents = {"aaaaaaa", "bbbbbbb"};
  session.sequence = 7;
  store_session(here.path(), session);
  store_acknowledgement(here.path(), {.series = "a/b:step_time_ns@box",
                                      .commit = "4be1c0f",
                                      .reason = "r",
                                      .utc = session.utc,
                                      .change = 0.05,
                                      .kind = AcknowledgedKind::gone});
  const History history = read_history(here.path());
  const HistorySession& read = history.sessions.at(0);
  EXPECT_EQ(read.commit_number, 12);
  EXPECT_EQ(read.first_parent_number, 10);
  EXPECT_EQ(read.parents, session.parents);
  EXPECT_EQ(read.sequence, 7);
  EXPECT_EQ(history.acknowledged.at(0).change, 0.05);
  EXPECT_EQ(history.acknowledged.at(0).kind, AcknowledgedKind::gone);
}

}  // namespace
}  // namespace stepgate
