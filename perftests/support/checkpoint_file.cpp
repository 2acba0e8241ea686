#include "support/checkpoint_file.h"

#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

namespace stepgate {
namespace {

using torch::optim::AdamWParamState;

/// Calls `visit(name, parameter)` for all parameters, in the order of their groups.
template <typename Visit>
void for_each_parameter(const torch::optim::AdamW& optimizer, Visit visit) {
  std::int64_t number = 0;
  for (const torch::optim::OptimizerParamGroup& group : optimizer.param_groups()) {
    for (const torch::Tensor& parameter : group.params()) visit(std::to_string(number++), parameter);
  }
}

torch::serialize::OutputArchive optimizer_archive(torch::optim::AdamW& optimizer) {
  torch::serialize::OutputArchive archive;
  for_each_parameter(optimizer, [&](const std::string& name, const torch::Tensor& parameter) {
    const auto at = optimizer.state().find(parameter.unsafeGetTensorImpl());
    if (at == optimizer.state().end()) return;
    const auto& state = static_cast<const AdamWParamState&>(*at->second);
    archive.write(name + "/average", state.exp_avg());
    archive.write(name + "/square", state.exp_avg_sq());
    archive.write(name + "/updates", c10::IValue(state.step()));
  });
  return archive;
}

}  // namespace

void save_checkpoint_file(const std::filesystem::path& file, const torch::nn::Module& model,
                          torch::optim::AdamW& optimizer) {
  torch::serialize::OutputArchive weights;
  model.save(weights);
  torch::serialize::OutputArchive state = optimizer_archive(optimizer);
  torch::serialize::OutputArchive archive;
  archive.write("model", weights);
  archive.write("optimizer", state);
  // Into memory first: LibTorch's writer ends its file in a destructor, which must not fail.
  std::ostringstream bytes;
  archive.save_to(bytes);
  std::ofstream out(file, std::ios::binary);
  out << bytes.view();
  out.close();  // the last bytes reach the file here
  if (!out) throw std::runtime_error("cannot write the checkpoint " + file.string());
}

void load_checkpoint_file(const std::filesystem::path& file, torch::nn::Module& model, torch::optim::AdamW& optimizer) {
  torch::serialize::InputArchive archive;
  archive.load_from(file.string());
  torch::serialize::InputArchive part;
  archive.read("model", part);
  model.load(part);
  archive.read("optimizer", part);
  for_each_parameter(optimizer, [&](const std::string& name, const torch::Tensor& parameter) {
    torch::Tensor average;
    if (!part.try_read(name + "/average", average)) return;
    auto state = std::make_unique<AdamWParamState>();
    torch::Tensor square;
    part.read(name + "/square", square);
    c10::IValue updates;
    part.read(name + "/updates", updates);
    state->exp_avg(average.to(parameter.device()));
    state->exp_avg_sq(square.to(parameter.device()));
    state->step(updates.toInt());
    optimizer.state()[parameter.unsafeGetTensorImpl()] = std::move(state);
  });
}

}  // namespace stepgate
