#include "measure/program/case/cuda_settings.h"

#include <gtest/gtest.h>

#include <map>

namespace stepgate {
namespace {

std::string alloc_conf(const std::map<std::string, std::string>& variables) {
  return alloc_conf_setting([&](const std::string& name) {
    const auto at = variables.find(name);
    return at == variables.end() ? std::nullopt : std::optional<std::string>(at->second);
  });
}

TEST(AllocConfSetting, IsTheTextOfEitherVariable) {
  EXPECT_EQ(alloc_conf({}), "default");
  EXPECT_EQ(alloc_conf({{"PYTORCH_ALLOC_CONF", ""}, {"PYTORCH_CUDA_ALLOC_CONF", ""}}), "default");
  EXPECT_EQ(alloc_conf({{"PYTORCH_ALLOC_CONF", "expandable_segments:True"}}), "expandable_segments:True");
  EXPECT_EQ(alloc_conf({{"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128"}}), "max_split_size_mb:128");
}

TEST(AllocConfSetting, NamesBothWhereTheyDiffer) {
  EXPECT_EQ(alloc_conf({{"PYTORCH_ALLOC_CONF", "a:1"}, {"PYTORCH_CUDA_ALLOC_CONF", "a:1"}}), "a:1");
  EXPECT_EQ(alloc_conf({{"PYTORCH_ALLOC_CONF", "a:1"}, {"PYTORCH_CUDA_ALLOC_CONF", "a:2"}}),
            "PYTORCH_ALLOC_CONF=a:1;PYTORCH_CUDA_ALLOC_CONF=a:2");
}

}  // namespace
}  // namespace stepgate
