#include "cli/output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "report/text/log_lines.h"
#include "support/hostile_texts.h"

namespace stepgate {
namespace {

template <typename Print>
std::string printed(Print print) {
  testing::internal::CaptureStdout();
  print();
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

TEST(Output, ATextOfALineStaysInIt) {
  EXPECT_EQ(printed([] { print_line(stdout, "{:<4}|{}|", std::string("a\nb"), 7); }), "a b |7|\n");
  EXPECT_EQ(printed([] { print_line(stdout, "{}", "  ::error::x"); }), "  : :error::x\n");
}

TEST(Output, AMessageKeepsItsLinesAndIndentsThem) {
  EXPECT_EQ(printed([] { print_message(stdout, "a\n::error::b", "c\nd"); }), "a\n    : :error::b\n  next: c\n    d\n");
}

TEST(Output, APageHasColoursOnlyIfItsStyleHas) {
  const std::string page = "\x1b[32mpass\x1b[0m\n";
  EXPECT_EQ(printed([&] { print_page(stdout, page, {.color = true}); }), page);
  EXPECT_EQ(printed([&] { print_page(stdout, page, {}); }), "?[32mpass?[0m\n");
}

TEST(Output, NoHostileTextIsObeyed) {
  for (const HostileText& one : hostile_texts()) {
    const std::string text = printed([&] {
      print_text(stdout, one.text + "\n");
      print_line(stdout, "{}", one.text);
      print_message(stdout, one.text, one.text);
      print_page(stdout, one.text + "\n", {});
    });
    EXPECT_EQ(fault_of_log(text, Colours::removed), "") << one.name;
  }
}

TEST(Output, CommandsStayAsTheyAre) {
  EXPECT_EQ(printed([] { print_commands(stdout, "::error::x\n"); }), "::error::x\n");
}

TEST(Output, AMessageTearsNoPageApart) {
  // Both streams of this process go into one file, as with 2>&1.
  const auto both = [] {
    testing::internal::CaptureStdout();
    const int own_stderr = dup(STDERR_FILENO);
    dup2(STDOUT_FILENO, STDERR_FILENO);
    print_page(stdout, std::string(5000, 'x') + "\n", {});
    print_message(stderr, "a message", "");
    print_page(stdout, "end\n", {});
    std::fflush(stdout);
    dup2(own_stderr, STDERR_FILENO);
    close(own_stderr);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(both(), std::string(5000, 'x') + "\nstepgate: a message\nend\n");
}

}  // namespace
}  // namespace stepgate
