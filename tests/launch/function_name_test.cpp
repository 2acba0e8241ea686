#include "launch/function_name.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

struct Shortened {
  const char* demangled;
  const char* name;
};

TEST(FunctionName, IsTheNameWithoutParametersResultsAndQualifiers) {
  const Shortened cases[] = {
      {"stepgate::(anonymous namespace)::CharLm::forward(stepgate::Batch const&)", "CharLm::forward"},
      {"user::CharLm::forward(std::vector<int, std::allocator<int> > const&) const", "user::CharLm::forward"},
      {"int (anonymous namespace)::twice<double>(double, std::pair<int, int> const&) [clone .isra.0]", "twice<double>"},
      {"at::Tensor Net<float, (Mode)1>::run<int>(std::function<void (int)> const&)", "Net<float, 1>::run<int>"},
      {"CharLm::step()::{lambda(at::Tensor const&)#2}::operator()(at::Tensor const&) const", "CharLm::step::{lambda}"},
      {"Grid::operator()(int) const", "Grid::operator()"},
      {"operator<<(std::ostream&, Grid const&)", "operator<<"},
      {"Grid::operator bool() const", "Grid::operator bool"},
      {"main", "main"},
      {"", ""},
  };
  for (const Shortened& one : cases) EXPECT_EQ(function_name(one.demangled), one.name) << one.demangled;
}

TEST(FunctionName, OfASymbolIsDemangled) {
  EXPECT_EQ(qualified_name_of_symbol("_ZN8stepgate6CharLm7forwardERKNS_5BatchE"), "stepgate::CharLm::forward");
  EXPECT_EQ(qualified_name_of_symbol("forward"), "forward");
}

/// Each template names the one before it twice: 2^40 characters.
TEST(FunctionName, OfASymbolThatStandsForATerabyteIsTheSymbol) {
  std::string bomb = "_Z1f1PI1AS0_E";
  for (int i = 0; i < 40; ++i) {
    const std::string last = i < 9 ? fmt::format("S{}_", i + 1) : fmt::format("S{:c}_", 'A' + i % 26);
    bomb += "S_I" + last + last + "E";
  }
  EXPECT_EQ(qualified_name_of_symbol(bomb).substr(0, 20), bomb.substr(0, 20));
  std::string packs = "_Z1fIJiiiiiiiiiiEEv";
  for (int i = 0; i < 20; ++i) packs += "Dp";
  EXPECT_EQ(qualified_name_of_symbol(packs + "T_"), packs + "T_");
}

/// As templates of users do.
TEST(FunctionName, OfASymbolWithSomeRepetitionsIsDemangled) {
  EXPECT_EQ(qualified_name_of_symbol("_ZN4user4pairIiiE3addIS1_EEvRKT_RKS1_S6_"),
            "user::pair<int, int>::add<user::pair<int, int> >");
  EXPECT_EQ(qualified_name_of_symbol("_ZN4user4callIJiiiEEEvDpT_"), "user::call<int, int, int>");
}

TEST(FunctionName, OfHostileTextIsShortAndPlain) {
  EXPECT_LE(function_name(std::string(1'000'000, '(')).size(), 203U);
  EXPECT_LE(function_name(std::string(1'000'000, '<')).size(), 203U);
  EXPECT_EQ(function_name("evil\n::error\x1b[31m::forward(int)"), "evil::error[31m::forward");
}

}  // namespace
}  // namespace stepgate
