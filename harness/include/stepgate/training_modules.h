// Finds the modules of a model that compute in train mode although it answers requests: dropout then changes answers at
// random, and batch norm takes its statistics from the batch. Only modules whose results depend on the mode are found.
// A module of your own that reads is_training() is not known here: add it to the result.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepgate/training_module.h"

namespace stepgate {
namespace training_mode {

template <typename Kind>
bool drops_out(const torch::nn::Module& module) {
  const auto* const found = dynamic_cast<const Kind*>(&module);
  return found != nullptr && found->options.p() > 0;
}

template <typename Kind>
bool keeps_statistics(const torch::nn::Module& module) {
  const auto* const found = dynamic_cast<const Kind*>(&module);
  return found != nullptr && found->options.track_running_stats();
}

/// Dropout lies between the layers of a recurrent module, so one layer has none.
template <typename Kind>
bool drops_out_between_layers(const torch::nn::Module& module) {
  const auto* const found = dynamic_cast<const Kind*>(&module);
  return found != nullptr && found->options_base.dropout() > 0 && found->options_base.num_layers() > 1;
}

inline bool attends_with_dropout(const torch::nn::Module& module) {
  const auto* const found = dynamic_cast<const torch::nn::MultiheadAttentionImpl*>(&module);
  return found != nullptr && found->options.dropout() > 0;
}

inline bool draws_slopes(const torch::nn::Module& module) {
  return dynamic_cast<const torch::nn::RReLUImpl*>(&module) != nullptr;
}

struct Kind {
  const char* name;
  bool (*depends)(const torch::nn::Module& module);
};

/// The kind of a module whose results depend on the mode; absent for another one.
inline std::optional<std::string> kind_of(const torch::nn::Module& module) {
  namespace nn = torch::nn;
  static constexpr Kind kinds[] = {{"Dropout", drops_out<nn::DropoutImpl>},
                                   {"Dropout2d", drops_out<nn::Dropout2dImpl>},
                                   {"Dropout3d", drops_out<nn::Dropout3dImpl>},
                                   {"AlphaDropout", drops_out<nn::AlphaDropoutImpl>},
                                   {"FeatureAlphaDropout", drops_out<nn::FeatureAlphaDropoutImpl>},
                                   {"BatchNorm1d", keeps_statistics<nn::BatchNorm1dImpl>},
                                   {"BatchNorm2d", keeps_statistics<nn::BatchNorm2dImpl>},
                                   {"BatchNorm3d", keeps_statistics<nn::BatchNorm3dImpl>},
                                   {"InstanceNorm1d", keeps_statistics<nn::InstanceNorm1dImpl>},
                                   {"InstanceNorm2d", keeps_statistics<nn::InstanceNorm2dImpl>},
                                   {"InstanceNorm3d", keeps_statistics<nn::InstanceNorm3dImpl>},
                                   {"RNN", drops_out_between_layers<nn::RNNImpl>},
                                   {"LSTM", drops_out_between_layers<nn::LSTMImpl>},
                                   {"GRU", drops_out_between_layers<nn::GRUImpl>},
                                   {"MultiheadAttention", attends_with_dropout},
                                   {"RReLU", draws_slopes}};
  for (const Kind& kind : kinds) {
    if (kind.depends(module)) return kind.name;
  }
  return std::nullopt;
}

inline void add(const torch::nn::Module& module, std::string name, std::vector<TrainingModule>& found) {
  if (!module.is_training()) return;
  if (auto kind = kind_of(module)) found.push_back({std::move(name), *std::move(kind)});
}

/// A number of a scripted module that its options set; `otherwise` where tracing dropped it, or a module of somebody's
/// own has something else under that name.
template <typename Script>
double number_of(const Script& module, const char* option, double otherwise) {
  const c10::IValue value = module.attr(option, otherwise);
  if (value.isBool()) return static_cast<double>(value.toBool());
  if (value.isInt()) return static_cast<double>(value.toInt());
  return value.isDouble() ? value.toDouble() : otherwise;
}

/// As kind_of(), for a module of TorchScript. A traced module has lost the options of its dropout and its norms: what
/// is in train mode there is told.
template <typename Script>
bool depends_on_mode(const Script& module, std::string_view kind) {
  if (kind.find("Dropout") != std::string_view::npos) return number_of(module, "p", 1) > 0;
  if (kind.find("BatchNorm") != std::string_view::npos || kind.find("InstanceNorm") != std::string_view::npos) {
    return number_of(module, "track_running_stats", 1) > 0;
  }
  if (kind == "RNN" || kind == "LSTM" || kind == "GRU") {
    return number_of(module, "dropout", 0) > 0 && number_of(module, "num_layers", 1) > 1;
  }
  if (kind == "MultiheadAttention") return number_of(module, "dropout", 0) > 0;
  return kind == "RReLU";
}

}  // namespace training_mode

/// Those of a model in C++: `training_modules(*net_)`.
inline std::vector<TrainingModule> training_modules(const torch::nn::Module& model) {
  std::vector<TrainingModule> found;
  training_mode::add(model, "", found);
  for (const auto& module : model.named_modules(/*name_prefix=*/"", /*include_self=*/false)) {
    training_mode::add(*module.value(), module.key(), found);
  }
  return found;
}

/// Those of a model in TorchScript, a torch::jit::Module. A frozen model has none.
template <typename Script>
requires requires(const Script& model) {
  model.named_modules();
  model._ivalue();
}
std::vector<TrainingModule> training_modules(const Script& model) {
  std::vector<TrainingModule> found;
  for (const auto& module : model.named_modules()) {
    if (!module.value.hasattr("training") || !module.value.is_training()) continue;
    const auto type = module.value.type()->name();
    const std::string kind = type ? type->name() : std::string();
    if (training_mode::depends_on_mode(module.value, kind)) found.push_back({module.name, kind});
  }
  return found;
}

}  // namespace stepgate
