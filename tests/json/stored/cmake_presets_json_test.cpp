#include "json/stored/cmake_presets_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CmakePresets, NameTheirBinaryFolders) {
  const std::string presets = R"({"version": 6, "configurePresets": [
    {"name": "base", "hidden": true, "binaryDir": "${sourceDir}/out/${presetName}"},
    {"name": "fast", "inherits": "base"},
    {"name": "slow", "inherits": ["none", "base"], "binaryDir": "below/"},
    {"name": "again", "binaryDir": "${sourceParentDir}/${sourceDirName}-build"},
    {"name": "foreign", "binaryDir": "$env{HOME}/build"},
    {"name": "round", "inherits": "round"},
    7]})";
  EXPECT_THAT(preset_binary_folders({presets}, "/work/job"),
              ElementsAre("/work/job/out/base", "/work/job/out/fast", "/work/job/below", "/work/job-build"));
}

TEST(CmakePresets, OfTheUserInheritFromThoseOfTheProject) {
  const std::string project = R"({"configurePresets": [{"name": "a", "binaryDir": "out/${presetName}"}]})";
  const std::string user = R"({"configurePresets": [{"name": "mine", "inherits": "a"}]})";
  EXPECT_THAT(preset_binary_folders({project, user}, "/job"), ElementsAre("/job/out/a", "/job/out/mine"));
}

TEST(CmakePresets, WhatIsNotUnderstoodIsLeftOut) {
  EXPECT_THAT(preset_binary_folders({"{", "[]", R"({"configurePresets": 3})", ""}, "/job"), IsEmpty());
}

}  // namespace
}  // namespace stepgate
