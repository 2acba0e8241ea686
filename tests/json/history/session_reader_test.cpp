#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "core/error.h"
#include "json/history/history_json.h"

namespace stepgate {
namespace {

HistorySession session_of_values(const std::vector<double>& medians) {
  HistorySession session{
      .runner_class = "box", .utc = "2026-11-22T05:34:50Z", .unix_s = 0, .commit = "4be1c0f", .run = "r"};
  session.keys = {{"k", {{"torch", "2.11"}}}};
  HistoryHalf half{"k", {}};
  for (std::size_t i = 0; i < medians.size(); ++i)
    half.values.push_back({"metric_" + std::to_string(1'000'000 + i), medians[i], 5, 0.01});
  session.cases.push_back({.name = "a/b", .exact = {}, .timed = half});
  return session;
}

std::string refusal_of_text(const std::string& text) {
  try {
    history_session_from_text(text, "one.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SessionReader, EveryDigitOfANumberIsRead) {
  std::mt19937_64 generator(7);
  std::vector<double> medians = {0, 5e-324, 1.7976931348623157e308, 9007199254740993.0, 0.1, 123456789012345678.0};
  while (medians.size() < 20'000) {
    const auto value = std::bit_cast<double>(generator());
    if (std::isfinite(value)) medians.push_back(value);
  }
  const HistorySession read = history_session_from_text(to_text(session_of_values(medians)), "one.json");
  const std::vector<HistoryValue>& values = read.cases.at(0).timed->values;
  ASSERT_EQ(values.size(), medians.size());
  for (std::size_t i = 0; i < medians.size(); ++i) ASSERT_EQ(values[i].median, medians[i]) << i;
}

TEST(SessionReader, WhatIsNoJsonIsRefusedWithItsLine) {
  const std::string good = to_text(session_of_values({1.5e6}));
  ASSERT_EQ(refusal_of_text(good), "");
  const auto with = [&](const std::string& what, const std::string& instead) {
    std::string text = good;
    return text.replace(text.find(what), what.size(), instead);
  };
  for (const std::string& bad :
       {good + "x", good + good, with("1500000.0", "NaN"), with("1500000.0", "1e999"), with("1500000.0", "01"),
        with("4be1c0f", "4be\xff"), with("4be1c0f", "4be\xed\xa0\x80"), with("4be1c0f", "\t"),
        with("{", "{ // a comment\n"), with("\"k\",", "\"k\",,")}) {
    EXPECT_NE(refusal_of_text(bad).find("not valid JSON"), std::string::npos)
        << bad.substr(0, 60) << refusal_of_text(bad);
  }
  EXPECT_NE(refusal_of_text(good.substr(0, good.size() / 2)).find("cut off"), std::string::npos);
  EXPECT_NE(refusal_of_text("{\"x\": " + std::string(2'000'000, '[')), "");  // nested deeply
}

TEST(SessionReader, NumbersAndParentsOfACommitHaveTheirForm) {
  HistorySession session = session_of_values({1.5e6});
  session.first_parent_number = 10;
  session.parents = {"aaaaaaa"};
  session.sequence = 7;
  const std::string good = to_text(session);
  ASSERT_EQ(refusal_of_text(good), "");
  const auto refusal_with = [&](const std::string& what, const std::string& instead) {
    std::string text = good;
    return refusal_of_text(text.replace(text.find(what), what.size(), instead));
  };
  EXPECT_NE(refusal_with("\"sequence\": 7", "\"sequence\": 1e308"), "");
  EXPECT_NE(refusal_with("\"sequence\": 7", "\"sequence\": -7"), "");
  EXPECT_NE(refusal_with("\"sequence\": 7", "\"sequence\": 7.5"), "");
  EXPECT_NE(refusal_with("\"aaaaaaa\"", "7"), "");
  EXPECT_NE(refusal_with("\"aaaaaaa\"", "[\"aaaaaaa\"]"), "");
  EXPECT_NE(refusal_with("\"aaaaaaa\"", "{\"a\": 1}"), "");
  EXPECT_NE(refusal_with("\"aaaaaaa\"", "true"), "");
  std::string many = "\"a\"";
  for (int i = 0; i < 64; ++i) many += ", \"a\"";
  EXPECT_NE(refusal_with("\"aaaaaaa\"", many).find("at most 64 parents"), std::string::npos);
}

}  // namespace
}  // namespace stepgate
