#include "vision/conv_net_memory.h"

namespace stepgate {
namespace {

constexpr std::int64_t sgd_bytes = 8;          // weight and momentum in float32
constexpr std::int64_t cast_weight_bytes = 2;  // autocast's copy of a weight, kept until backward

// Tensors of the width and side of a stage that backward reads.
constexpr std::int64_t stem_tensors = 3;      // results of convolution, norm and activation
constexpr std::int64_t block_tensors = 6;     // of two convolutions, norm, activation, sum, activation
constexpr std::int64_t shortcut_tensors = 1;  // result of its convolution
constexpr std::int64_t temporary_tensors = 2;

std::int64_t norm_parameters(std::int64_t width) { return 2 * width; }

std::int64_t block_parameters(std::int64_t from, std::int64_t to, bool shortcut) {
  const std::int64_t straight = 9 * from * to + 9 * to * to + 2 * norm_parameters(to);
  return straight + (shortcut ? from * to + norm_parameters(to) : 0);
}

}  // namespace

std::int64_t parameters_of(const ConvNetSize& size) {
  std::int64_t sum = 9 * size.channels * size.width + norm_parameters(size.width);
  std::int64_t from = size.width;
  for (std::int64_t stage = 0; stage < size.stages; ++stage) {
    const std::int64_t to = size.width << stage;
    for (std::int64_t block = 0; block < size.blocks; ++block) {
      sum += block_parameters(from, to, stage > 0 && block == 0);
      from = to;
    }
  }
  return sum + (from + 1) * size.classes;
}

TrainingMemory memory_of(const ConvNetSize& size, const ImageBatch& batch, bool autocast) {
  const std::int64_t number_bytes = autocast ? 2 : 4;
  const std::int64_t pixels = batch.rows * batch.side * batch.side;
  const std::int64_t stage_bytes = pixels * size.width * number_bytes;
  std::int64_t kept = pixels * size.channels * 4 + stem_tensors * stage_bytes;
  for (std::int64_t stage = 0; stage < size.stages; ++stage) {
    // Twice as wide, at half the side: half the numbers of the stage before.
    kept += (size.blocks * block_tensors + (stage > 0 ? shortcut_tensors : 0)) * (stage_bytes >> stage);
  }
  return {.parameters = parameters_of(size),
          .state_bytes_per_parameter = sgd_bytes + (autocast ? cast_weight_bytes : 0),
          .activation_bytes = kept,
          .temporary_bytes = temporary_tensors * stage_bytes};
}

}  // namespace stepgate
