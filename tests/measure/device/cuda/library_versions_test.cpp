#include "measure/device/cuda/library_versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace stepgate {
namespace {

int give_part(int part, int* value) {
  *value = 13 - 6 * part;  // 13.7.1
  return 0;
}
int give_number(int* value) {
  *value = 22809;
  return 0;
}
int refuse(int* /*value*/) { return 1; }

FunctionFinder finder(std::map<std::string, void*> functions) {
  return [functions = std::move(functions)](const char* name) {
    const auto at = functions.find(name);
    return at == functions.end() ? nullptr : at->second;
  };
}

TEST(LibraryVersions, AreThoseOfTheLoadedLibraries) {
  EXPECT_EQ(library_versions(finder({{"cublasGetProperty", reinterpret_cast<void*>(&give_part)},
                                     {"cublasLtGetProperty", reinterpret_cast<void*>(&give_part)},
                                     {"ncclGetVersion", reinterpret_cast<void*>(&give_number)}})),
            (Fingerprint{{"cublas", "13.7.1"}, {"cublaslt", "13.7.1"}, {"nccl", "2.28.9"}}));
}

TEST(LibraryVersions, ALibraryThatIsNotLoadedOrDoesNotTellIsMissing) {
  EXPECT_EQ(library_versions(finder({})), Fingerprint{});
  EXPECT_EQ(library_versions(finder({{"ncclGetVersion", reinterpret_cast<void*>(&refuse)}})), Fingerprint{});
}

TEST(LibraryVersions, OfThisProcessAreNumbers) {
  for (const auto& [name, version] : loaded_library_versions()) {
    EXPECT_THAT(version, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+")) << name;
  }
}

}  // namespace
}  // namespace stepgate
