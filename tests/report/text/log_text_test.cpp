#include "report/text/log_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/text/clean_text.h"
#include "report/text/log_lines.h"
#include "support/hostile_texts.h"

namespace stepgate {
namespace {

std::string plain(std::string_view text) { return log_text(text, Colours::removed); }

TEST(LogText, OrdinaryPagesStay) {
  const std::string page = "1 regressed · local\n\n  step   a::b  [+1.0 %, +2.0 %]  # reproduce\n";
  EXPECT_EQ(plain(page), page);
  EXPECT_EQ(plain(""), "");
  EXPECT_EQ(plain("no line end"), "no line end");
}

TEST(LogText, ALineCannotBeAWorkflowCommand) {
  EXPECT_EQ(plain("a\n::error::b\n"), "a\n: :error::b\n");
  EXPECT_EQ(plain("  \t::add-mask::x"), "   : :add-mask::x");
  EXPECT_EQ(plain("\xC2\xA0\xE2\x80\x83::error::x"), "\xC2\xA0\xE2\x80\x83: :error::x");
  EXPECT_EQ(plain("text ::error::stays, a command only begins a line"),
            "text ::error::stays, a command only begins a line");
}

TEST(LogText, NoPartOfALineIsAnOldCommand) {
  EXPECT_EQ(plain("x ##[error]y"), "x # #[error]y");
  EXPECT_EQ(plain("##vso[task.setvariable]"), "# #vso[task.setvariable]");
  EXPECT_EQ(plain("###[group]"), "## #[group]");
  EXPECT_EQ(plain("## heading ## [x]"), "## heading ## [x]");
}

TEST(LogText, CtestAndJenkinsFindNothing) {
  EXPECT_EQ(plain("<CTestMeasurement name=\"a\">"), "< CTestMeasurement name=\"a\">");
  EXPECT_EQ(plain("[[ATTACHMENT|/etc/passwd]]"), "[ [ATTACHMENT|/etc/passwd]]");
}

TEST(LogText, OnlyTheColoursOfAPageStay) {
  EXPECT_EQ(log_text("\x1b[1;31mREGRESSED\x1b[0m \x1b[2J\x1b]0;t\x07", Colours::kept),
            "\x1b[1;31mREGRESSED\x1b[0m ?[2J?]0;t?");
  EXPECT_EQ(plain("\x1b[1;31mREGRESSED\x1b[0m"), "?[1;31mREGRESSED?[0m");
  EXPECT_EQ(log_text("\x1b[2m::error::x\x1b[0m", Colours::kept), "\x1b[2m: :error::x\x1b[0m");
}

TEST(LogText, TheCheckOfTheseTestsSeesEachKind) {
  for (const char* text : {"\x1b[2J", "a\rb", "\xC2\x9b", "\xE2\x80\xAE", "\xE2\x81\xA6", "a\n \xE2\x80\x83::error::b",
                           "\xC2\xA0::error::b", "##[error]", "##vso[a]", "<CTestLabel>", "[[ATTACHMENT|a]]"}) {
    EXPECT_NE(fault_of_log(text, Colours::removed), "") << text;
  }
  EXPECT_EQ(fault_of_log("caf\xC3\xA9 \xC2\xB7 \xE2\x80\xA6 a::b ## c\n", Colours::removed), "");
}

TEST(LogText, NoHostileTextGetsThrough) {
  for (const HostileText& one : hostile_texts()) {
    for (const char* before : {"", "stepgate: ", "  ", "a\n", "\x1b[2m"}) {
      for (const Colours colours : {Colours::kept, Colours::removed}) {
        const std::string shown = log_text(std::string(before) + one.text + "\n", colours);
        EXPECT_EQ(fault_of_log(shown, colours), "") << one.name;
        EXPECT_EQ(log_text(shown, colours), shown) << one.name << ": cleaning again changes nothing";
      }
    }
  }
}

TEST(LogText, TwoHostileTextsMakeNoCommandTogether) {
  const auto texts = hostile_texts();
  for (const HostileText& one : texts) {
    for (const HostileText& other : texts) {
      if (one.text.size() + other.text.size() > 300) continue;
      for (const char* between : {"", " ", "\n"}) {
        const std::string shown = log_text(one.text + between + other.text, Colours::kept);
        EXPECT_EQ(fault_of_log(shown, Colours::kept), "") << one.name << ", " << other.name;
      }
    }
  }
}

TEST(LogText, WrappedTextCannotBecomeACommand) {
  for (const HostileText& one : hostile_texts()) {
    for (const std::size_t width : {1, 9, 17, 40, 80}) {
      std::string page;
      for (const std::string& line : wrapped(terminal_text(one.text, false), width)) page += "    " + line + "\n";
      EXPECT_EQ(fault_of_log(log_text(page, Colours::removed), Colours::removed), "") << one.name << " at " << width;
    }
  }
}

TEST(LogJson, KeepsItsMeaningAndHoldsNoCommand) {
  nlohmann::json document = nlohmann::json::array();
  for (const HostileText& one : hostile_texts()) document.push_back(terminal_text(one.text, false) + one.name);
  document.push_back(
      "##[error]\x7f \xC2\x9b"
      "2J \xE2\x80\xAE <CTestMeasurement>");
  const std::string text = document.dump(1);
  const std::string shown = log_json(text);
  EXPECT_EQ(nlohmann::json::parse(shown), document);
  EXPECT_EQ(fault_of_log(shown, Colours::removed), "");
  EXPECT_EQ(log_json("{\n \"a\": \"b # c\"\n}\n"), "{\n \"a\": \"b # c\"\n}\n");
}

}  // namespace
}  // namespace stepgate
