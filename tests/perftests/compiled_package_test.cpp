#include "support/compiled_package.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "perftests/data_folder.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* two_inputs = "torch 2.11.0\ndigest 12ab\ninput float32 8 64\ninput int64\n";

std::string refusal_of(const std::vector<torch::Tensor>& tensors) {
  try {
    require_inputs(package_facts(two_inputs), tensors);
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

TEST(CompiledPackage, ReadsItsFacts) {
  const PackageFacts facts = package_facts(two_inputs);
  EXPECT_EQ(facts.torch, "2.11.0");
  EXPECT_EQ(facts.digest, "12ab");
  ASSERT_THAT(facts.inputs, SizeIs(2));
  EXPECT_EQ(facts.inputs[0], (PackageInput{"float32", {8, 64}}));
  EXPECT_EQ(facts.inputs[1], (PackageInput{"int64", {}}));
  for (const char* text : {"torch\n", "colour red\n", "input float32 8 x\n"}) {
    EXPECT_THROW(package_facts(text), std::invalid_argument) << text;
  }
}

TEST(CompiledPackage, RefusesTensorsThatItWasNotCompiledFor) {
  const torch::Tensor number = torch::zeros({}, torch::kInt64);
  EXPECT_EQ(refusal_of({torch::zeros({8, 64}), number}), "");
  EXPECT_THAT(refusal_of({torch::zeros({4, 64}), number}),
              HasSubstr("input 0: the package was compiled for float32 (8, 64), contiguous, and was given float32 (4, "
                        "64): pad the batch"));
  EXPECT_THAT(refusal_of({torch::zeros({8, 64}), torch::zeros({})}),
              HasSubstr("input 1: the package was compiled for "));
  EXPECT_THAT(refusal_of({torch::zeros({64, 8}).t(), number}), HasSubstr("float32 (8, 64), not contiguous"));
  EXPECT_THAT(refusal_of({number}), HasSubstr("for 2 tensors and was given 1"));
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
