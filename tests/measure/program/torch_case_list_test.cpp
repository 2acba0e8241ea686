#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/program/case_list.h"
#include "measure/program/reference/reference_case.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

std::string refusal(const std::vector<Case>& cases) {
  try {
    require_well_formed(cases);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST(CaseList, AcceptsWhatIsWellFormed) {
  EXPECT_EQ(refusal({toy_mlp(), toy_conv(), reference_case("cpu")}), "accepted");
}

TEST(CaseList, RefusesNamesThatFilesAndTestsCannotBear) {
  for (const char* name : {"", "mlp", "toy/mlp", "toy/mlp/tiny/x", "Toy/mlp/tiny", "toy//tiny", "/mlp/tiny", "toy/mlp/",
                           "toy/m p/tiny", "../mlp/tiny"}) {
    Case bad = toy_mlp();
    bad.name = name;
    EXPECT_THAT(refusal({bad}), HasSubstr("is not a case name")) << name;
  }
}

TEST(CaseList, RefusesCasesThatCouldNotRun) {
  EXPECT_THAT(refusal({toy_mlp(), toy_mlp()}), HasSubstr("case 'toy/mlp/tiny' is listed twice"));
  Case no_factory = toy_mlp();
  no_factory.make = nullptr;
  EXPECT_THAT(refusal({no_factory}), HasSubstr("has no factory"));
  Case nowhere = toy_mlp();
  nowhere.device = "tpu";
  EXPECT_THAT(refusal({nowhere}), HasSubstr("declares device 'tpu'"));
  Case idle = toy_mlp();
  idle.steps.phase = 0;
  EXPECT_THAT(refusal({idle}), HasSubstr("declares phase=0"));
  Case nobody = toy_mlp();
  nobody.ranks = 0;
  EXPECT_THAT(refusal({nobody}), HasSubstr("declares 0 ranks"));
}

TEST(CaseList, NamesTheNearestCase) {
  try {
    case_named({toy_mlp(), toy_conv()}, "toy/mpl/tiny");
    FAIL() << "found it";
  } catch (const Error& error) {
    EXPECT_THAT(error.remedy(), HasSubstr("did you mean toy/mlp/tiny?"));
  }
}

TEST(CaseList, ListsTheRanksOfACase) {
  Case pair = toy_mlp();
  pair.ranks = 2;
  EXPECT_THAT(list_json({pair}), HasSubstr(R"("ranks": 2)"));
}

TEST(CaseList, EscapesJson) {
  Case odd = toy_mlp();
  odd.params = {{"quote\"", "back\\slash\n"}};
  EXPECT_THAT(list_json({odd}), HasSubstr(R"("params": {"quote\"": "back\\slash\u000a"})"));
}

}  // namespace
}  // namespace stepgate
