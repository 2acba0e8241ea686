// A function that was compiled ahead of time by LibTorch's compiler (AOTInductor) and is loaded as a shared library.
//
// Its folder holds step.so and package.txt, which ci/compile_case writes:
//   torch 2.11.0             the LibTorch that it was compiled against
//   digest 6f1c...           SHA-256 of the generated sources and of how they are compiled
//   input float32 98 128     one line for each tensor that it takes, in order: type and sizes
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepgate/perftest.h"

namespace torch::inductor {
class AOTIModelContainerRunnerCpu;
}

namespace stepgate {

/// What a package takes for one tensor.
struct PackageInput {
  std::string dtype;  ///< "float32" or "int64"
  std::vector<std::int64_t> sizes;

  bool operator==(const PackageInput&) const = default;
};

/// What package.txt says.
struct PackageFacts {
  std::string torch;
  std::string digest;
  std::vector<PackageInput> inputs;
};

/// Throws std::invalid_argument naming the line that it cannot read.
PackageFacts package_facts(std::string_view text);

/// Throws std::invalid_argument naming the first tensor that the package was not compiled for. A package reads and
/// writes past the end of a tensor with fewer rows. Allocates nothing where all fit.
void require_inputs(const PackageFacts& facts, const std::vector<torch::Tensor>& tensors);

/// The folder of a package in stepgate's cache.
std::filesystem::path package_folder(std::string_view name);

/// What is missing where the package of that name is not there, or was compiled against another LibTorch.
std::optional<MissingPart> missing_package(std::string_view name);

class CompiledPackage {
 public:
  /// Reads package.txt; load() does the rest. Throws std::runtime_error where there is none.
  explicit CompiledPackage(const std::filesystem::path& folder);
  ~CompiledPackage();
  CompiledPackage(const CompiledPackage&) = delete;
  CompiledPackage& operator=(const CompiledPackage&) = delete;

  const PackageFacts& facts() const { return facts_; }

  /// Loads the library, once. From now on LibTorch checks the inputs as well (AOTI_RUNTIME_CHECK_INPUTS=1).
  void load();

  /// Runs it on the calling thread. It changes those of `tensors` that its function changes, in place. Loads it first
  /// where load() was not called. Throws std::invalid_argument for other tensors than it was compiled for.
  std::vector<torch::Tensor> run(const std::vector<torch::Tensor>& tensors);

 private:
  std::filesystem::path folder_;
  PackageFacts facts_;
  std::unique_ptr<torch::inductor::AOTIModelContainerRunnerCpu> runner_;
};

}  // namespace stepgate
