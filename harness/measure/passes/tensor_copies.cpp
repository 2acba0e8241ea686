#include "measure/passes/tensor_copies.h"

#include <algorithm>
#include <array>

namespace stepgate {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;

/// Sizes from a small batch, where latency dominates, to one where the rate of the link does: copies above 16 MiB reach
/// it on PCIe 4 and 5.
constexpr std::array<std::int64_t, 3> sizes = {mebibyte / 4, 4 * mebibyte, 32 * mebibyte};

/// The largest size but one, in as many pieces as a batch of nested features may have.
constexpr std::int64_t split_bytes = 4 * mebibyte;
constexpr std::int64_t split_pieces = 64;

torch::Tensor host_bytes(std::int64_t bytes, bool pinned) {
  // The memory must be written once: untouched pages are all mapped to one page of zeros, which is cheap to read.
  return torch::ones({bytes}, torch::TensorOptions().dtype(torch::kUInt8).pinned_memory(pinned));
}

}  // namespace

TensorCopies::TensorCopies(DeviceSide& device, const std::vector<torch::Tensor>& batch) : device_(device) {
  const torch::NoGradGuard no_grad;
  const bool batch_is_pinned =
      device.can_pin() && !batch.empty() &&
      std::all_of(batch.begin(), batch.end(), [](const torch::Tensor& tensor) { return tensor.is_pinned(); });
  std::int64_t batch_bytes = 0;
  for (const torch::Tensor& tensor : batch) batch_bytes += static_cast<std::int64_t>(tensor.nbytes());
  if (batch_bytes > 0) {
    add(CopyLayout::batch, batch, batch_is_pinned);
    add(CopyLayout::single, {host_bytes(batch_bytes, batch_is_pinned)}, batch_is_pinned);
  }
  add_sizes(false);
  if (device.can_pin()) add_sizes(true);
}

void TensorCopies::add_sizes(bool pinned) {
  for (const std::int64_t bytes : sizes) add(CopyLayout::single, {host_bytes(bytes, pinned)}, pinned);
  std::vector<torch::Tensor> pieces;
  for (std::int64_t i = 0; i < split_pieces; ++i) pieces.push_back(host_bytes(split_bytes / split_pieces, pinned));
  add(CopyLayout::split, pieces, pinned);
}

void TensorCopies::add(CopyLayout layout, std::vector<torch::Tensor> sources, bool pinned) {
  CopySeries kind{.layout = layout,
                  .pinned = pinned,
                  .bytes = 0,
                  .tensors = static_cast<std::int64_t>(sources.size()),
                  .trial_ns = {}};
  std::vector<torch::Tensor> targets;
  for (const torch::Tensor& source : sources) {
    kind.bytes += static_cast<std::int64_t>(source.nbytes());
    targets.push_back(torch::empty(source.sizes(), source.options().device(device_.device()).pinned_memory(false)));
  }
  kinds_.push_back(std::move(kind));
  sources_.push_back(std::move(sources));
  targets_.push_back(std::move(targets));
}

}  // namespace stepgate
