#include "support/compiled_package.h"

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
constexpr const char* how_to_compile = "run ci/compile_case, which takes 2 minutes and writes into stepgate's cache";

std::string_view dtype_name(at::ScalarType type) {
  if (type == at::kFloat) return "float32";
  return type == at::kLong ? "int64" : c10::toString(type);
}

std::string text_of(const PackageInput& input) {
  std::string text = input.dtype + " (";
  for (std::size_t i = 0; i < input.sizes.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(input.sizes[i]);
  return text + ")";
}

bool fits(const PackageInput& input, const torch::Tensor& tensor) {
  return tensor.sizes() == at::IntArrayRef(input.sizes) && dtype_name(tensor.scalar_type()) == input.dtype &&
         tensor.is_contiguous();
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

PackageFacts package_facts(std::string_view text) {
  PackageFacts facts;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    std::string value;
    if (!(words >> key >> value)) throw std::invalid_argument("package.txt: a line without a value: \"" + line + "\"");
    if (key == "torch") {
      facts.torch = value;
    } else if (key == "digest") {
      facts.digest = value;
    } else if (key == "input") {
      PackageInput input{.dtype = value, .sizes = {}};
      for (std::int64_t size = 0; words >> size;) input.sizes.push_back(size);
      if (!words.eof()) throw std::invalid_argument("package.txt: a size that is no number: \"" + line + "\"");
      facts.inputs.push_back(std::move(input));
    } else {
      throw std::invalid_argument("package.txt: an unknown line: \"" + line + "\"");
    }
  }
  return facts;
}

void require_inputs(const PackageFacts& facts, const std::vector<torch::Tensor>& tensors) {
  if (tensors.size() != facts.inputs.size()) {
    throw std::invalid_argument("the package was compiled for " + std::to_string(facts.inputs.size()) +
                                " tensors and was given " + std::to_string(tensors.size()));
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (fits(facts.inputs[i], tensors[i])) continue;
    const PackageInput given{.dtype = std::string(dtype_name(tensors[i].scalar_type())),
                             .sizes = tensors[i].sizes().vec()};
    throw std::invalid_argument("input " + std::to_string(i) + ": the package was compiled for " +
                                text_of(facts.inputs[i]) + ", contiguous, and was given " + text_of(given) +
                                (tensors[i].is_contiguous() ? "" : ", not contiguous") +
                                ": pad the batch to that shape, or compile a package for this one");
  }
}

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

CompiledPackage::CompiledPackage(const std::filesystem::path& folder)
    : folder_(folder), facts_(package_facts(read_facts_text(folder))) {}

CompiledPackage::~CompiledPackage() = default;

void CompiledPackage::load() {
  if (runner_) return;
  // Read by the package when it first runs.
  setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", 1);
  runner_ = std::make_unique<torch::inductor::AOTIModelContainerRunnerCpu>((folder_ / library_file).string(),
                                                                           /*num_models=*/1);
}

std::vector<torch::Tensor> CompiledPackage::run(const std::vector<torch::Tensor>& tensors) {
  require_inputs(facts_, tensors);
  load();
  const torch::NoGradGuard no_grad;
  return runner_->run(tensors);
}

}  // namespace stepgate
