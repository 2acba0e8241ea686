#include "launch/function_name.h"

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

TEST(FunctionName, OfHostileTextIsShortAndPlain) {
  EXPECT_LE(function_name(std::string(1'000'000, '(')).size(), 203U);
  EXPECT_LE(function_name(std::string(1'000'000, '<')).size(), 203U);
  EXPECT_EQ(function_name("evil\n::error\x1b[31m::forward(int)"), "evil::error[31m::forward");
}

}  // namespace
}  // namespace stepgate
