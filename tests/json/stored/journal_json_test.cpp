#include "json/stored/journal_json.h"

#include <gtest/gtest.h>

#include "system/fnv_hash.h"

namespace stepgate {
namespace {

const JournalRun journal_run{"boot-1", 42, 1234, "20261121T100000Z", "stepgate gate", 1700000000};
const KnobChange governor{"governor", ChangeKind::file, "/sys/g", "powersave", "performance", 40};
const KnobChange daemon_paused{"interrupts", ChangeKind::paused_process, "7 99", "running", "stopped", 80};

std::string whole() {
  return journal_line(journal_run) + journal_line(0, governor) + journal_line(1, daemon_paused) +
         applied_line(0, "performance") + restored_line(1);
}

TEST(JournalJson, ReadsBackWhatItWrote) {
  const Journal journal = journal_from_text(whole());
  ASSERT_TRUE(journal.run);
  EXPECT_EQ(*journal.run, journal_run);
  ASSERT_EQ(journal.entries.size(), 2U);
  EXPECT_EQ(journal.entries[0], (JournalEntry{0, governor, "performance", false}));
  EXPECT_EQ(journal.entries[1], (JournalEntry{1, daemon_paused, {}, true}));
  EXPECT_EQ(journal.damaged_lines, 0);
}

TEST(JournalJson, KeepsTheCompleteLinesOfATruncatedJournal) {
  const std::string text = whole();
  const std::size_t three_lines =
      journal_line(journal_run).size() + journal_line(0, governor).size() + journal_line(1, daemon_paused).size();
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Journal journal = journal_from_text(text.substr(0, size));
    const bool at_line_end = size == 0 || text[size - 1] == '\n';
    EXPECT_EQ(journal.damaged_lines, at_line_end ? 0 : 1) << size;
    if (size >= three_lines) {
      EXPECT_EQ(journal.entries.size(), 2U) << size;
    }
  }
}

TEST(JournalJson, SkipsDamagedLines) {
  std::string text = whole();
  text[text.find("powersave")] = 'X';
  const Journal journal = journal_from_text(text);
  EXPECT_TRUE(journal.run);
  // The line that records the application refers to a change whose own line is damaged.
  EXPECT_EQ(journal.damaged_lines, 2);
  ASSERT_EQ(journal.entries.size(), 1U);
  EXPECT_EQ(journal.entries[0], (JournalEntry{1, daemon_paused, {}, true}));
}

TEST(JournalJson, CountsADeeplyNestedLineAsDamaged) {
  const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
  ShortFnvHash hash;
  hash.add(deep);
  const Journal journal = journal_from_text(journal_line(journal_run) + hex_text(hash) + " " + deep + "\n");
  EXPECT_TRUE(journal.run);
  EXPECT_EQ(journal.damaged_lines, 1);
}

TEST(JournalJson, RememberWhatWasRefused) {
  const Journal journal = journal_from_text(journal_line(journal_run) + journal_line(0, governor) + refused_line(0));
  ASSERT_EQ(journal.entries.size(), 1U);
  EXPECT_TRUE(journal.entries[0].refused);
  EXPECT_EQ(journal.damaged_lines, 0);
}

TEST(JournalJson, AnEmptyTextIsAnEmptyJournal) {
  const Journal journal = journal_from_text("");
  EXPECT_FALSE(journal.run);
  EXPECT_TRUE(journal.entries.empty());
  EXPECT_EQ(journal_from_text("no journal at all\n").damaged_lines, 1);
}

}  // namespace
}  // namespace stepgate
