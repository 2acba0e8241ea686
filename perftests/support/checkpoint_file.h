// A checkpoint: weights and the state of AdamW in one file of LibTorch's format.
#pragma once

#include <torch/torch.h>

#include <filesystem>

namespace stepgate {

/// Writes the module's parameters and buffers, and of each parameter the averages and the number of updates that the
/// optimizer keeps. Parameters without state are left out. Throws std::runtime_error, naming the file, where a write
/// fails.
///
/// torch::save() of an optimizer names its tensors by the addresses of the parameters. Those names are compressed, so
/// the size of such a file differs by some bytes from build to build. Here they have the numbers of the parameters.
void save_checkpoint_file(const std::filesystem::path& file, const torch::nn::Module& model,
                          torch::optim::AdamW& optimizer);

/// Reads such a file back into a model and an optimizer of the same shape. Throws c10::Error where it does not fit.
void load_checkpoint_file(const std::filesystem::path& file, torch::nn::Module& model, torch::optim::AdamW& optimizer);

}  // namespace stepgate
