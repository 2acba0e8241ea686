#include "compiled/compiled_package.h"

#include <torch/csrc/inductor/aoti_runner/model_container_runner_cpu.h>
#include <torch/version.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/cache_folder.h"

namespace stepgate {
namespace {

constexpr const char* library_file = "step.so";
constexpr const char* facts_file = "package.txt";
constexpr const char* how_to_compile =
    "run ci/compile_case, which takes 2 minutes a package and writes into stepgate's cache";

std::string_view dtype_name(at::ScalarType type) {
  if (type == at::kFloat) return "float32";
  return type == at::kLong ? "int64" : c10::toString(type);
}

GivenTensor given_tensor(const torch::Tensor& tensor) {
  return {.dtype = dtype_name(tensor.scalar_type()), .sizes = tensor.sizes(), .contiguous = tensor.is_contiguous()};
}

/// The weights that the package was compiled for, sharing their storage with those of its user.
PackageWeights checked_weights(const PackageFacts& facts, const PackageWeights& given) {
  PackageWeights weights;
  for (const PackageWeight& wanted : facts.weights) {
    const auto found = given.find(wanted.name);
    if (found == given.end()) throw std::invalid_argument("the package needs weight " + wanted.name);
    const std::string refusal = refusal_of_weight(wanted, given_tensor(found->second));
    if (!refusal.empty()) throw std::invalid_argument(refusal);
    weights[wanted.name] = found->second.detach();
  }
  for (const auto& [name, tensor] : given) {
    if (!weights.contains(name)) throw std::invalid_argument("the package has no weight " + name);
  }
  return weights;
}

/// LibTorch's version without its local part: "2.11.0" of "2.11.0+cu130".
std::string torch_version() {
  const std::string version = TORCH_VERSION;
  return version.substr(0, version.find('+'));
}

std::string read_facts_text(const std::filesystem::path& folder) {
  std::ifstream file(folder / facts_file);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("no compiled package in " + folder.string() + ": " + how_to_compile);
  return text.str();
}

}  // namespace

std::filesystem::path package_folder(std::string_view name) { return cache_folder("packages") / name; }

std::optional<MissingPart> missing_package(std::string_view name) {
  const std::filesystem::path folder = package_folder(name);
  if (!exists(folder / library_file) || !exists(folder / facts_file)) {
    return MissingPart{"the compiled step of this case is not built: no " + (folder / library_file).string(),
                       how_to_compile};
  }
  const PackageFacts facts = package_facts(read_facts_text(folder));
  if (facts.torch == torch_version()) return std::nullopt;
  return MissingPart{
      "the compiled step of this case is for LibTorch " + facts.torch + ", and this is " + torch_version(),
      how_to_compile};
}

CompiledPackage::CompiledPackage(const std::filesystem::path& folder, const PackageWeights& weights)
    : folder_(folder), facts_(package_facts(read_facts_text(folder))), weights_(checked_weights(facts_, weights)) {
  given_.reserve(facts_.inputs.size());
}

CompiledPackage::~CompiledPackage() = default;

void CompiledPackage::load() {
  if (runner_) return;
  // Read by the package when it first runs.
  setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", 1);
  runner_ = std::make_unique<torch::inductor::AOTIModelContainerRunnerCpu>((folder_ / library_file).string(),
                                                                           /*num_models=*/1);
  if (!weights_.empty()) share_weights();
}

/// The generated code names them in its own way.
void CompiledPackage::share_weights() {
  PackageWeights own_names;
  for (const auto& [own_name, name] : runner_->getConstantNamesToOriginalFQNs()) {
    const auto weight = weights_.find(name);
    if (weight == weights_.end())
      throw std::invalid_argument("the package reads " + name + ", which its package.txt does not list as a weight");
    own_names[own_name] = weight->second;
  }
  weights_ = std::move(own_names);
  runner_->update_constant_buffer(weights_, /*use_inactive=*/false, /*validate_full_updates=*/true,
                                  /*user_managed=*/true);
}

void CompiledPackage::require_inputs(const std::vector<torch::Tensor>& tensors) {
  given_.clear();
  for (const torch::Tensor& tensor : tensors) given_.push_back(given_tensor(tensor));
  const std::string refusal = refusal_of_inputs(facts_, given_);
  if (!refusal.empty()) throw std::invalid_argument(refusal);
}

std::vector<torch::Tensor> CompiledPackage::run(const std::vector<torch::Tensor>& tensors) {
  require_inputs(tensors);
  load();
  const torch::NoGradGuard no_grad;
  return runner_->run(tensors);
}

}  // namespace stepgate
