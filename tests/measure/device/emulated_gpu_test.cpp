#include "measure/device/emulated_gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "core/error.h"
#include "support/temporary_folder.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

const char* fake_title() { return "emulated H100, model 1"; }
void fake_launch() {}

void* address_of(void (*function)()) { return reinterpret_cast<void*>(function); }
void* address_of(const char* (*function)()) { return reinterpret_cast<void*>(function); }

struct LoadedFiles {
  std::string of_launch = {};  ///< "": the process has no CUDA
  std::string of_title = {};   ///< "": no emulated GPU
};

LoadedSymbols symbols_of(const LoadedFiles& files) {
  return {.find = [files](const char* name) -> void* {
            if (std::strcmp(name, "cudaLaunchKernel") == 0 && !files.of_launch.empty()) return address_of(fake_launch);
            if (std::strcmp(name, "stepgate_emulated_gpu") == 0 && !files.of_title.empty())
              return address_of(fake_title);
            return nullptr;
          },
          .file_of =
              [files](const void* address) {
                return address == address_of(fake_launch) ? files.of_launch : files.of_title;
              }};
}

std::string digest_of_text(const std::string& text) {
  FnvHash hash;
  hash.add(text);
  return hex_text(hash);
}

std::string refusal_of(const std::optional<CudaLibrary>& library, bool asked_for_emulation) {
  try {
    require_cuda_library(library, asked_for_emulation);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::measure);
    EXPECT_FALSE(error.remedy().empty());
    return error.what();
  }
  return "";
}

const CudaLibrary vendor_library{.path = "/usr/lib/libcudart.so.13", .digest = "1"};
const CudaLibrary emulated_library{.path = "/build/libstepgate_emulated_gpu.so",
                                   .digest = "2",
                                   .emulated = "emulated H100, model 1",
                                   .emulated_in = "/build/libstepgate_emulated_gpu.so"};

TEST(EmulatedGpu, TheLibraryIsTheFileThatKernelsAreLaunchedBy) {
  const TemporaryFolder folder;
  const std::string path = folder.write("libcudart.so.13", "the vendor's code");
  const auto found = cuda_library(symbols_of({.of_launch = path}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, path);
  EXPECT_EQ(found->digest, digest_of_text("the vendor's code"));
  EXPECT_EQ(found->emulated, "");
  EXPECT_EQ(found->emulated_in, "");
}

TEST(EmulatedGpu, TellsItsTitle) {
  const TemporaryFolder folder;
  const std::string path = folder.write("libstepgate_emulated_gpu.so", "our code");
  const auto found = cuda_library(symbols_of({.of_launch = path, .of_title = path}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->emulated, "emulated H100, model 1");
  EXPECT_EQ(found->emulated_in, path);
}

TEST(EmulatedGpu, IsAbsentInAProcessWithoutCuda) {
  EXPECT_FALSE(cuda_library(symbols_of({})));
  EXPECT_FALSE(loaded_cuda_library());  // this one
}

TEST(EmulatedGpu, AFileThatCannotBeReadIsAnErrorOfTheMeasurement) {
  const TemporaryFolder folder;
  try {
    cuda_library(symbols_of({.of_launch = folder.path() / "gone"}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::measure);
  }
}

TEST(EmulatedGpu, WhatWasAskedForIsUsable) {
  EXPECT_EQ(refusal_of(vendor_library, false), "");
  EXPECT_EQ(refusal_of(emulated_library, true), "");
  EXPECT_EQ(refusal_of(std::nullopt, false), "");
}

TEST(EmulatedGpu, ThatNobodyAskedForIsRefused) {
  EXPECT_EQ(refusal_of(emulated_library, false),
            "cudaLaunchKernel is in /build/libstepgate_emulated_gpu.so, which is the emulated H100, model 1, and no "
            "emulated GPU was asked for");
}

TEST(EmulatedGpu, ThatWasAskedForAndIsNotThereIsRefused) {
  EXPECT_EQ(refusal_of(vendor_library, true),
            "an emulated GPU was asked for, and cudaLaunchKernel is in /usr/lib/libcudart.so.13, which is not one");
  EXPECT_EQ(refusal_of(std::nullopt, true), "an emulated GPU was asked for, and the program has no cudaLaunchKernel");
}

TEST(EmulatedGpu, BesideTheVendorsLibraryIsRefusedEvenIfAskedFor) {
  CudaLibrary mixed = emulated_library;
  mixed.path = vendor_library.path;
  for (const bool asked : {false, true}) {
    EXPECT_THAT(refusal_of(mixed, asked), testing::HasSubstr("two libraries answer the calls of CUDA"));
  }
}

const char* fake_variable(int index) {
  static constexpr const char* variables[] = {"LD_AUDIT=/b/loader.so", "STEPGATE_EMULATED_GPU=h100:2"};
  return index < 2 ? variables[index] : nullptr;
}

TEST(EmulatedGpu, TellsWhatItsRanksNeed) {
  const LoadedSymbols symbols{.find = [](const char* name) -> void* {
                                const bool asked = std::strcmp(name, "stepgate_emulated_variable") == 0;
                                return asked ? reinterpret_cast<void*>(fake_variable) : nullptr;
                              },
                              .file_of = [](const void*) { return std::string(); }};
  EXPECT_THAT(emulated_variables(symbols),
              testing::ElementsAre("LD_AUDIT=/b/loader.so", "STEPGATE_EMULATED_GPU=h100:2"));
  EXPECT_THAT(emulated_variables(symbols_of({})), testing::IsEmpty());
  EXPECT_THAT(own_emulated_variables(), testing::IsEmpty());
}

TEST(EmulatedGpu, IsAskedOfACaseForAGpuOnly) {
  EXPECT_NO_THROW(require_asked_library("cpu", false));
  EXPECT_NO_THROW(require_asked_library("cuda", false));  // this process has no CUDA
  try {
    require_asked_library("cpu", true);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("the case runs on cpu"));
  }
  try {
    require_asked_library("cuda", true);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::measure);
  }
}

int counts_mode() { return 0; }
int values_mode() { return 1; }

TEST(EmulatedGpu, ComputesNothingInModeCounts) {
  const auto symbols = [](int (*mode)()) {
    return LoadedSymbols{.find = [mode](const char* name) -> void* {
                           const bool is_mode = std::strcmp(name, "stepgate_emulated_mode") == 0;
                           return is_mode ? reinterpret_cast<void*>(mode) : nullptr;
                         },
                         .file_of = [](const void*) { return std::string(); }};
  };
  EXPECT_TRUE(computes_nothing(symbols(counts_mode)));
  EXPECT_FALSE(computes_nothing(symbols(values_mode)));
  EXPECT_FALSE(computes_nothing(symbols_of({}))) << "a real GPU";
}

int last_own_waits = -1;
void note_own_waits(int are_own) { last_own_waits = are_own; }

TEST(EmulatedGpu, IsToldWhichWaitsTheHarnessMakes) {
  const LoadedSymbols symbols{.find = [](const char* name) -> void* {
                                const bool is_it = std::strcmp(name, "stepgate_emulated_own_waits") == 0;
                                return is_it ? reinterpret_cast<void*>(note_own_waits) : nullptr;
                              },
                              .file_of = [](const void*) { return std::string(); }};
  const OwnWaits tell = own_waits(symbols);
  ASSERT_NE(tell, nullptr);
  tell(1);
  EXPECT_EQ(last_own_waits, 1);
  EXPECT_EQ(own_waits(symbols_of({})), nullptr) << "a real GPU";
}

std::string last_mark;
void fake_mark(const char* text) { last_mark = text; }

TEST(EmulatedGpu, HasAFunctionThatMarksItsLog) {
  const LoadedSymbols symbols{.find = [](const char* name) -> void* {
                                const bool is_mark = std::strcmp(name, "stepgate_emulated_mark") == 0;
                                return is_mark ? reinterpret_cast<void*>(fake_mark) : nullptr;
                              },
                              .file_of = [](const void*) { return std::string(); }};
  const LogMark mark = log_mark(symbols);
  ASSERT_NE(mark, nullptr);
  mark("counts 3");
  EXPECT_EQ(last_mark, "counts 3");
  EXPECT_EQ(log_mark(symbols_of({})), nullptr) << "a real GPU";
}

}  // namespace
}  // namespace stepgate
