#include "environment/process/child_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace stepgate {
namespace {

using testing::Contains;
using testing::Key;
using testing::Not;
using testing::Pair;

TEST(ChildEnvironment, PinsTheThreadsOfGroupTimed) {
  Plan plan;
  plan.threads = 4;
  const Variables expected = {{"OMP_NUM_THREADS", "4"},
                              {"MKL_NUM_THREADS", "4"},
                              {"OMP_DYNAMIC", "false"},
                              {"MKL_DYNAMIC", "FALSE"},
                              {"MALLOC_MMAP_THRESHOLD_", "33554432"},
                              {"MALLOC_TRIM_THRESHOLD_", "4294967296"}};
  EXPECT_EQ(pinned_variables(plan, Group::timed, ""), expected);
  EXPECT_EQ(pinned_variables(plan, Group::reference, ""), expected);
}

TEST(ChildEnvironment, PinsGroupExactToOneThreadAndOneInstructionSet) {
  Plan plan;
  plan.threads = 4;
  const Variables pinned = pinned_variables(plan, Group::exact, "");
  EXPECT_THAT(pinned, Contains(Pair("OMP_NUM_THREADS", "1")));
  EXPECT_THAT(pinned, Contains(Pair("MKL_NUM_THREADS", "1")));
  EXPECT_THAT(pinned, Contains(Pair("ATEN_CPU_CAPABILITY", "avx2")));
  EXPECT_THAT(pinned, Contains(Pair("ONEDNN_MAX_CPU_ISA", "AVX2")));
  EXPECT_THAT(pinned, Not(Contains(Key("CUBLAS_WORKSPACE_CONFIG"))));
}

TEST(ChildEnvironment, PinsTheWorkspaceOfExactPassesOnAGpu) {
  Plan plan;
  plan.device = Device::cuda;
  EXPECT_THAT(pinned_variables(plan, Group::exact, ""), Contains(Pair("CUBLAS_WORKSPACE_CONFIG", ":4096:8")));
  EXPECT_THAT(pinned_variables(plan, Group::timed, ""), Not(Contains(Key("CUBLAS_WORKSPACE_CONFIG"))));
}

TEST(ChildEnvironment, ShowsOnlyTheChosenGpu) {
  EXPECT_THAT(pinned_variables(Plan{}, Group::timed, "GPU-1234"), Contains(Pair("CUDA_VISIBLE_DEVICES", "GPU-1234")));
  EXPECT_THAT(pinned_variables(Plan{}, Group::timed, "GPU-1,GPU-2"),
              Contains(Pair("CUDA_VISIBLE_DEVICES", "GPU-1,GPU-2")));
  EXPECT_THAT(pinned_variables(Plan{}, Group::timed, ""), Not(Contains(Key("CUDA_VISIBLE_DEVICES"))));
}

TEST(ChildEnvironment, SetsBothMallocThresholdsOrNeither) {
  Plan plan;
  plan.malloc_policy = "system";
  const Variables pinned = pinned_variables(plan, Group::timed, "");
  const Variables parent = {{"MALLOC_TRIM_THRESHOLD_", "1"}, {"MALLOC_ARENA_MAX", "1"}, {"PATH", "/bin"}};
  EXPECT_THAT(child_environment(parent, pinned), Not(Contains(Key(testing::StartsWith("MALLOC_")))));
}

TEST(ChildEnvironment, RemovesVariablesThatChangeAMeasurement) {
  const Variables parent = {
      {"OMP_PROC_BIND", "true"},     {"KMP_AFFINITY", "none"},      {"GOMP_CPU_AFFINITY", "0"},
      {"MKL_CBWR", "AVX2"},          {"GLIBC_TUNABLES", "x"},       {"ATEN_CPU_CAPABILITY", "default"},
      {"ONEDNN_VERBOSE", "1"},       {"DNNL_MAX_CPU_ISA", "SSE"},   {"PYTORCH_NO_CUDA_MEMORY_CACHING", "1"},
      {"NVIDIA_TF32_OVERRIDE", "0"}, {"CUDA_LAUNCH_BLOCKING", "1"}, {"BENCHMARK_FILTER", "x"}};
  EXPECT_EQ(child_environment(parent, {}), Variables{});
}

TEST(ChildEnvironment, KeepsWhatProgramsNeed) {
  const Variables parent = {{"PATH", "/bin"},
                            {"HOME", "/home/me"},
                            {"LD_LIBRARY_PATH", "/opt/lib"},
                            {"LD_PRELOAD", "x.so"},
                            {"XDG_CACHE_HOME", "/c"},
                            {"NCCL_DEBUG", "INFO"},
                            {"CUDA_HOME", "/cuda"},
                            {"SLURM_JOB_ID", "1"},
                            {"ASAN_OPTIONS", "detect_leaks=0"},
                            {"OMPI_COMM_WORLD_SIZE", "2"}};
  EXPECT_EQ(child_environment(parent, {}), parent);
}

TEST(ChildEnvironment, LeavesEverythingElseWithTheUser) {
  const Variables parent = {{"GITHUB_TOKEN", "t"},
                            {"GITHUB_ENV", "/f"},
                            {"AWS_SECRET_ACCESS_KEY", "k"},
                            {"SLURM_JWT", "j"},
                            {"TORCH_HUB_TOKEN", "h"},
                            {"ACTIONS_RUNTIME_URL", "u"},
                            {"GOOGLE_APPLICATION_CREDENTIALS", "/c"},
                            {"SSH_AUTH_SOCK", "/s"},
                            {"MY_DATA", "/d"}};
  EXPECT_EQ(child_environment(parent, {}), Variables{});
}

TEST(ChildEnvironment, PassesWhatTheUserNames) {
  const Variables parent = {{"MY_DATA", "/d"}, {"SLURM_JWT", "j"}, {"OTHER", "o"}, {"OMP_PLACES", "cores"}};
  EXPECT_EQ(child_environment(parent, {}, {"MY_DATA", "SLURM_JWT", "MISSING", "OMP_PLACES"}),
            (Variables{{"MY_DATA", "/d"}, {"SLURM_JWT", "j"}}));
}

TEST(ChildEnvironment, PinnedVariablesWin) {
  EXPECT_THAT(child_environment({{"CUDA_VISIBLE_DEVICES", "3"}}, {{"CUDA_VISIBLE_DEVICES", "GPU-1"}}),
              Contains(Pair("CUDA_VISIBLE_DEVICES", "GPU-1")));
}

TEST(ChildEnvironment, RecordsOnlyThePreloadOfTheUsersVariables) {
  const Variables parent = {{"SECRET", "s"}, {"HOME", "/home/me"}, {"LD_PRELOAD", "x.so"}};
  EXPECT_EQ(recorded_variables(parent, {{"A", "1"}}), (Variables{{"A", "1"}, {"LD_PRELOAD", "x.so"}}));
  EXPECT_EQ(recorded_variables({{"SECRET", "s"}}, {{"A", "1"}}), (Variables{{"A", "1"}}));
}

TEST(ChildEnvironment, PassesHowTheAllocatorAndCublasAreSet) {
  const Variables parent = {{"PYTORCH_ALLOC_CONF", "expandable_segments:True"},
                            {"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128"},
                            {"CUBLAS_WORKSPACE_CONFIG", ":16:8"},
                            {"CUDA_MPS_PIPE_DIRECTORY", "/mps"},
                            {"CUDA_DEVICE_MAX_CONNECTIONS", "1"}};
  EXPECT_EQ(child_environment(parent, {}), parent);
  EXPECT_EQ(recorded_variables(child_environment(parent, {}), {}), parent);
  EXPECT_THAT(child_environment(parent, {{"CUBLAS_WORKSPACE_CONFIG", ":4096:8"}}),
              Contains(Pair("CUBLAS_WORKSPACE_CONFIG", ":4096:8")))
      << "the exact passes keep their pin";
}

TEST(ChildEnvironment, RecordsWhatChangesAGpusTimesAndNoSecret) {
  const Variables child = {
      {"NCCL_ALGO", "Ring"}, {"CUBLASLT_LOG_LEVEL", "5"}, {"CUDA_MODULE_LOADING", "EAGER"}, {"CUDA_HOME", "/cuda"},
      {"PATH", "/bin"},      {"NCCL_AUTH_TOKEN", "t"},    {"CUDA_INJECTION64_PATH", "/t"}};
  const Variables expected = {{"NCCL_ALGO", "Ring"},
                              {"CUBLASLT_LOG_LEVEL", "5"},
                              {"CUDA_MODULE_LOADING", "EAGER"},
                              {"CUDA_INJECTION64_PATH", "/t"}};
  EXPECT_EQ(recorded_variables(child, {}), expected);
}

TEST(ChildEnvironment, TheFactOfAGpusEnvironmentHoldsSettingsOnly) {
  const Variables child = {{"NCCL_ALGO", "Ring"},
                           {"NCCL_DEBUG", "INFO"},
                           {"CUDA_DEVICE_MAX_CONNECTIONS", "1"},
                           {"CUBLAS_WORKSPACE_CONFIG", ":4096:8"},
                           {"CUDA_MPS_PIPE_DIRECTORY", "/mps"},
                           {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50"}};
  EXPECT_EQ(gpu_environment_fact(child, {{"CUBLAS_WORKSPACE_CONFIG", ":4096:8"}}),
            "CUDA_DEVICE_MAX_CONNECTIONS=1;CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=50;NCCL_ALGO=Ring");
  EXPECT_EQ(gpu_environment_fact({{"PATH", "/bin"}}, {}), "default");
}

TEST(ChildEnvironment, NamesToolsThatAreLoadedIntoTheProcess) {
  EXPECT_EQ(injected_tools_fact({{"CUDA_INJECTION64_PATH", "/t.so"}, {"NSYS_TMP", "/x"}, {"PATH", "/bin"}}),
            "CUDA_INJECTION64_PATH, NSYS_TMP");
  EXPECT_EQ(injected_tools_fact({{"CUDA_INJECTION64_PATH", ""}}), "");
}

TEST(ChildEnvironment, ReadsItsOwnVariables) {
  ASSERT_EQ(::setenv("STEPGATE_TEST_VARIABLE", "a=b", 1), 0);
  EXPECT_THAT(own_environment(), Contains(Pair("STEPGATE_TEST_VARIABLE", "a=b")));
  ::unsetenv("STEPGATE_TEST_VARIABLE");
}

}  // namespace
}  // namespace stepgate
