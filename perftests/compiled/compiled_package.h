// A function that was compiled ahead of time by LibTorch's compiler (AOTInductor) and is loaded as a shared library.
// Its folder holds step.so and package.txt (package_facts.h), which ci/compile_case writes.
#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiled/package_facts.h"
#include "stepgate/perftest.h"

namespace torch::inductor {
class AOTIModelContainerRunnerCpu;
}

namespace stepgate {

/// The folder of a package in stepgate's cache.
std::filesystem::path package_folder(std::string_view name);

/// What is missing where the package of that name is not there, or was compiled against another LibTorch.
std::optional<MissingPart> missing_package(std::string_view name);

/// Tensors that a package reads where they are, by name. Their values may change between two calls, their storage not.
using PackageWeights = std::unordered_map<std::string, torch::Tensor>;

class CompiledPackage {
 public:
  /// Reads package.txt; load() does the rest. Throws std::runtime_error where there is none, and std::invalid_argument
  /// where `weights` are not those that it was compiled for.
  explicit CompiledPackage(const std::filesystem::path& folder, const PackageWeights& weights = {});
  ~CompiledPackage();
  CompiledPackage(const CompiledPackage&) = delete;
  CompiledPackage& operator=(const CompiledPackage&) = delete;

  const PackageFacts& facts() const { return facts_; }

  /// Loads the library, once. From now on LibTorch checks the inputs as well (AOTI_RUNTIME_CHECK_INPUTS=1).
  void load();

  /// Runs it on the calling thread. It changes those of `tensors` that its function changes, in place. Loads it first
  /// where load() was not called. Throws std::invalid_argument for other tensors than it was compiled for: a package
  /// would read and write past the end of a tensor with fewer rows.
  std::vector<torch::Tensor> run(const std::vector<torch::Tensor>& tensors);

 private:
  void require_inputs(const std::vector<torch::Tensor>& tensors);
  void share_weights();

  std::filesystem::path folder_;
  PackageFacts facts_;
  PackageWeights weights_;          ///< once loaded by the package's own names; it keeps the addresses of these tensors
  std::vector<GivenTensor> given_;  ///< kept, so that a step allocates nothing for its check
  std::unique_ptr<torch::inductor::AOTIModelContainerRunnerCpu> runner_;
};

}  // namespace stepgate
