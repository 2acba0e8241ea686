#include "core/record/fact_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/record/fingerprint_mismatches.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<FingerprintMismatch>& mismatches) {
  std::vector<std::string> names;
  for (const FingerprintMismatch& one : mismatches) names.push_back(one.key);
  return names;
}

TEST(FactKind, WhatAChangeOfTheCodeCanDoIsNamedBeforeTheMachine) {
  const Fingerprint expected = {{"cpu_model", "EPYC"}, {"data_digest", "a"}, {"threads", "1"}, {"tf32_matmul", "off"}};
  const Fingerprint found = {{"cpu_model", "Xeon"}, {"data_digest", "b"}, {"threads", "2"}, {"tf32_matmul", "on"}};
  EXPECT_THAT(names_of(mismatches(expected, found)), ElementsAre("tf32_matmul", "threads", "data_digest", "cpu_model"));
  EXPECT_THAT(names_of(differences({}, found)), ElementsAre("tf32_matmul", "threads", "data_digest", "cpu_model"));
}

TEST(FactKind, AKeyWithoutADefaultDtypeIsOfFloat32) {
  EXPECT_THAT(mismatches({}, {{"default_dtype", "float32"}}), IsEmpty());
  EXPECT_THAT(differences({{"default_dtype", "float32"}}, {}), IsEmpty());
  const auto changed = mismatches({}, {{"default_dtype", "float64"}});
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0].expected, "float32");
  EXPECT_EQ(changed[0].found, "float64");
  EXPECT_EQ(mismatches({{"default_dtype", "float64"}}, {}).at(0).found, "float32");
  EXPECT_THAT(mismatches({}, {{"tf32_matmul", "on"}}), IsEmpty()) << "an older baseline does not say";
}

TEST(FactKind, OnlySettingsOfTheProgramLeaveTwoSidesComparable) {
  const FingerprintMismatch tf32 = {"tf32_matmul", "off", "on"};
  EXPECT_THAT(names_of(changed_settings({tf32})), ElementsAre("tf32_matmul"));
  EXPECT_FALSE(incompatible({tf32}));
  EXPECT_FALSE(incompatible({}));
  for (const FingerprintMismatch& other : {FingerprintMismatch{"threads", "1", "2"},
                                           {"data_digest", "a", "b"},
                                           {"gpu", "H100", "H200"},
                                           {"cudnn_benchmark", "on", ""}}) {
    EXPECT_THAT(changed_settings({tf32, other}), IsEmpty()) << other.key;
    EXPECT_TRUE(incompatible({tf32, other})) << other.key;
  }
}

TEST(FactKind, AnotherMachineIsNoOtherTree) {
  EXPECT_TRUE(has_changed_tree({{"gpu", "H100", "H200"}, {"data_digest", "a", "b"}}));
  EXPECT_TRUE(has_changed_tree({{"malloc", "tuned", "LD_PRELOAD=libjemalloc.so"}}));
  EXPECT_TRUE(has_changed_tree({{"threads", "1", "2"}}));
  EXPECT_FALSE(has_changed_tree({{"gpu", "H100", "H200"}, {"torch", "2.11.0", "2.12.0"}, {"isa", "AVX2", "DEFAULT"}}));
  EXPECT_FALSE(has_changed_tree({{"tf32_matmul", "off", ""}})) << "a program of another version may not record it";
  EXPECT_FALSE(has_changed_tree({{"a fact without a row", "a", "b"}}));
}

}  // namespace
}  // namespace stepgate
