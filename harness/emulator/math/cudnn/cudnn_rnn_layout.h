// Where the weights of a recurrent network lie in cuDNN's one buffer, and how much room a pass takes.
#pragma once

#include <cstdint>
#include <optional>

namespace stepgate::emulator {

struct RnnShape {
  std::int64_t gates = 1;  ///< 4 of an LSTM, 3 of a GRU, 1 of a plain cell
  std::int64_t input = 0;
  std::int64_t hidden = 0;
  std::int64_t projection = 0;  ///< equal to hidden where nothing is projected
  std::int64_t layers = 0;
  std::int64_t directions = 1;
  std::int64_t biases = 2;  ///< vectors of each gate: 0, 1 or 2
  std::int64_t element_bytes = 4;
};

/// Of one matrix or bias.
struct RnnWeight {
  std::int64_t offset_bytes = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

struct RnnSpaces {
  std::int64_t workspace_bytes = 0;
  std::int64_t reserve_bytes = 0;
};

bool is_valid(const RnnShape& shape);
std::int64_t weight_space_bytes(const RnnShape& shape);
/// `layer` counts layers and directions: 2 n and 2 n + 1 are the directions of layer n. `place` counts the matrices of
/// the input, those of the state, and then the projection. Absent where the network has no such matrix.
std::optional<RnnWeight> matrix_of(const RnnShape& shape, std::int64_t layer, std::int64_t place);
/// `place` counts the biases of the input and those of the state.
std::optional<RnnWeight> bias_of(const RnnShape& shape, std::int64_t layer, std::int64_t place);
/// Own choice, because the library documents no sizes: training keeps each gate and each state of each step; one step
/// of all gates is work in progress.
RnnSpaces spaces_of(const RnnShape& shape, std::int64_t steps, std::int64_t batch, bool training);
double flops_of(const RnnShape& shape, std::int64_t steps, std::int64_t batch);

}  // namespace stepgate::emulator
