#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/typeid.h>
#include <gtest/gtest.h>

#include "core/record/fact_table.h"
#include "measure/program/case/process_fingerprint.h"

namespace stepgate {
namespace {

EnvironmentReader environment(const std::map<std::string, std::string>& values) {
  return [values](const std::string& name) {
    const auto at = values.find(name);
    return at == values.end() ? std::nullopt : std::optional<std::string>(at->second);
  };
}

TEST(MallocSetting, DistinguishesThreeKinds) {
  EXPECT_EQ(malloc_setting(environment({})), "system");
  EXPECT_EQ(
      malloc_setting(environment({{"MALLOC_MMAP_THRESHOLD_", "33554432"}, {"MALLOC_TRIM_THRESHOLD_", "4294967296"}})),
      "tuned");
  EXPECT_EQ(malloc_setting(environment({{"MALLOC_MMAP_THRESHOLD_", "33554432"}})), "MALLOC_MMAP_THRESHOLD_=33554432");
  EXPECT_EQ(malloc_setting(environment({{"MALLOC_MMAP_THRESHOLD_", "33554432"},
                                        {"MALLOC_TRIM_THRESHOLD_", "4294967296"},
                                        {"MALLOC_TOP_PAD_", "1"}})),
            "MALLOC_MMAP_THRESHOLD_=33554432;MALLOC_TOP_PAD_=1;MALLOC_TRIM_THRESHOLD_=4294967296");
}

TEST(OneDnnSetting, IsThePinUnlessTheCpuIsBelowIt) {
  EXPECT_EQ(onednn_setting(environment({}), true), "default");
  EXPECT_EQ(onednn_setting(environment({{"ONEDNN_MAX_CPU_ISA", "AVX2"}}), true), "AVX2");
  EXPECT_EQ(onednn_setting(environment({{"ONEDNN_MAX_CPU_ISA", "AVX2"}}), false), "below AVX2");
}

TEST(ProcessFingerprint, NamesCaseAndGroup) {
  Case test_case{
      .name = "a/b/c", .make = nullptr, .dtype = "bfloat16", .params = {{"b", "2"}, {"a", "1"}}, .version = "7"};
  const Fingerprint facts = process_fingerprint({.test_case = test_case,
                                                 .group = Group::exact,
                                                 .device = "cpu",
                                                 .seed = 5,
                                                 .data_digest = "beef",
                                                 .device_facts = {{"gpu", "none"}}});
  EXPECT_EQ(facts.at("case_params"), "a=1;b=2");
  EXPECT_EQ(facts.at("workload_version"), "7");
  EXPECT_EQ(facts.at("dtype"), "bfloat16");
  EXPECT_EQ(facts.at("seed"), "5");
  EXPECT_EQ(facts.at("data_digest"), "beef");
  EXPECT_EQ(facts.at("gpu"), "none");
  EXPECT_EQ(facts.at("exact_steps"), "counts=8,memory=12,numerics=21,exact_warmup=3");
  EXPECT_EQ(facts.count("timed_steps"), 0U);
  EXPECT_EQ(facts.at("torch").substr(0, 2), "2.");
  EXPECT_FALSE(facts.at("isa").empty());
}

Fingerprint facts_on(const std::string& device, const Fingerprint& device_facts) {
  const Case test_case{.name = "a/b/c", .make = nullptr, .dtype = "float32"};
  return process_fingerprint({.test_case = test_case, .device = device, .device_facts = device_facts});
}

TEST(ProcessFingerprint, NamesTheSwitchesOfCuda) {
  const Fingerprint facts = facts_on("cuda", {});
  EXPECT_EQ(facts.at("tf32_matmul"), "off");
  EXPECT_EQ(facts.at("tf32_cudnn"), "on") << "LibTorch's default";
  EXPECT_EQ(facts.at("cudnn_benchmark"), "off");
  EXPECT_EQ(facts.at("alloc_conf"), "default");
  EXPECT_EQ(facts_on("cpu", {}).count("tf32_matmul"), 0U);
  EXPECT_EQ(facts_on("cuda", {{"tf32_cudnn", "off"}}).at("tf32_cudnn"), "off") << "the device knows better";
}

TEST(ProcessFingerprint, NamesNcclOnlyWhereRanksExchangeSomething) {
  const Fingerprint device_facts = {{"nccl", "2.27.3"}, {"cublas", "13.1.0"}};
  EXPECT_EQ(facts_on("cuda", device_facts).count("nccl"), 0U);
  EXPECT_EQ(facts_on("cuda", device_facts).at("cublas"), "13.1.0");
  const Case ranks{.name = "a/b/c", .make = nullptr, .dtype = "float32", .ranks = 2};
  EXPECT_EQ(process_fingerprint({.test_case = ranks, .device = "cuda", .device_facts = device_facts}).at("nccl"),
            "2.27.3");
}

TEST(ProcessFingerprint, FollowsTheSwitchesOfCuda) {
  at::Context& context = at::globalContext();
  context.setFloat32MatmulPrecision("high");
  context.setBenchmarkCuDNN(true);
  const Fingerprint facts = facts_on("cuda", {});
  context.setFloat32MatmulPrecision("highest");
  context.setBenchmarkCuDNN(false);
  EXPECT_EQ(facts.at("tf32_matmul"), "on");
  EXPECT_EQ(facts.at("cudnn_benchmark"), "on");
}

TEST(ProcessFingerprint, NamesADefaultDtypeOnlyWhereTheProgramSetOne) {
  EXPECT_FALSE(facts_on("cpu", {}).contains("default_dtype"));
  c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
  const Fingerprint facts = facts_on("cpu", {});
  c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
  EXPECT_EQ(facts.at("default_dtype"), "float64");
}

TEST(ProcessFingerprint, NamesTheSwitchesThatNoKeyHolds) {
  const Fingerprint usual = facts_on("cpu", {});
  EXPECT_EQ(usual.at("deterministic_algorithms"), "off");
  EXPECT_EQ(usual.at("mkldnn_enabled"), "on");
  EXPECT_EQ(usual.at("autocast_cpu"), "off");
  EXPECT_EQ(usual.at("autocast_cpu_dtype"), "bfloat16");
  EXPECT_FALSE(usual.contains("cudnn_enabled"));
  EXPECT_EQ(facts_on("cuda", {}).at("cudnn_enabled"), "on");
  for (const auto& [name, value] : facts_on("cuda", {})) EXPECT_NE(find_fact(name), nullptr) << name;
}

TEST(ProcessFingerprint, FollowsTheSwitchesThatNoKeyHolds) {
  at::Context& context = at::globalContext();
  context.setDeterministicAlgorithms(true, /*warn_only=*/false);
  context.setUserEnabledMkldnn(false);
  context.setSDPUseMath(false);
  const bool can_flush = context.setFlushDenormal(true);
  at::autocast::set_autocast_dtype(at::kCPU, at::kHalf);
  const Fingerprint facts = facts_on("cpu", {});
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  context.setFlushDenormal(false);
  context.setSDPUseMath(true);
  context.setUserEnabledMkldnn(true);
  context.setDeterministicAlgorithms(false, false);
  EXPECT_EQ(facts.at("deterministic_algorithms"), "on");
  EXPECT_EQ(facts.at("mkldnn_enabled"), "off");
  EXPECT_EQ(facts.at("sdp_math"), "off");
  EXPECT_EQ(facts.at("flush_denormal"), can_flush ? "on" : "off");
  EXPECT_EQ(facts.at("autocast_cpu_dtype"), "float16");
}

}  // namespace
}  // namespace stepgate
