#include "compiled/compiled_package.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "perftests/data_folder.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

std::string refusal_by(CompiledPackage& package, const std::vector<torch::Tensor>& tensors) {
  try {
    package.run(tensors);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

/// Sets STEPGATE_CACHE for its lifetime.
class CacheIn {
 public:
  explicit CacheIn(const std::filesystem::path& folder) {
    if (const char* value = std::getenv("STEPGATE_CACHE")) before_ = value;
    setenv("STEPGATE_CACHE", folder.c_str(), 1);
  }
  ~CacheIn() { before_ ? setenv("STEPGATE_CACHE", before_->c_str(), 1) : unsetenv("STEPGATE_CACHE"); }
  CacheIn(const CacheIn&) = delete;
  CacheIn& operator=(const CacheIn&) = delete;

 private:
  std::optional<std::string> before_;
};

// Without step.so: what a package was not compiled for is refused before it is loaded.
TEST(CompiledPackage, RefusesTensorsThatItWasNotCompiledFor) {
  const DataFolder folder;
  folder.write("package.txt", "torch 2.11.0\ndigest 12ab\ninput float32 8 64\n");
  CompiledPackage package(folder.path());
  EXPECT_THAT(refusal_by(package, {torch::zeros({4, 64})}), HasSubstr("was given float32 (4, 64): pad the batch"));
  EXPECT_THAT(refusal_by(package, {torch::zeros({8, 64}, torch::kInt64)}), HasSubstr("was given int64 (8, 64)"));
  EXPECT_THAT(refusal_by(package, {torch::zeros({64, 8}).t()}), HasSubstr("float32 (8, 64), not contiguous"));
}

TEST(CompiledPackage, RefusesWeightsThatAreNotItsOwn) {
  const DataFolder folder;
  folder.write("package.txt", "torch 2.11.0\ndigest 12ab\nweight bias float32 128\n");
  EXPECT_NO_THROW(CompiledPackage(folder.path(), {{"bias", torch::zeros({128})}}));
  EXPECT_THROW(CompiledPackage(folder.path()), std::invalid_argument);
  EXPECT_THROW(CompiledPackage(folder.path(), {{"bias", torch::zeros({64})}}), std::invalid_argument);
  EXPECT_THROW(CompiledPackage(folder.path(), {{"bias", torch::zeros({128})}, {"scale", torch::zeros({128})}}),
               std::invalid_argument);
}

TEST(CompiledPackage, ThatIsMissingNamesTheCommand) {
  const DataFolder cache;
  const CacheIn scope(cache.path());
  const MissingPart nothing = missing_package("step").value();
  EXPECT_THAT(nothing.what, HasSubstr("not built: no "));
  EXPECT_THAT(nothing.remedy, HasSubstr("ci/compile_case"));
  EXPECT_THROW(CompiledPackage(package_folder("step")), std::runtime_error);

  cache.write("packages/step/step.so", "");
  cache.write("packages/step/package.txt", "torch 1.0.0\n");
  EXPECT_THAT(missing_package("step").value().what, HasSubstr("for LibTorch 1.0.0, and this is 2."));
}

}  // namespace
}  // namespace stepgate
