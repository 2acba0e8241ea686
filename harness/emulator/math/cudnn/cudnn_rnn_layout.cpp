#include "emulator/math/cudnn/cudnn_rnn_layout.h"

namespace stepgate::emulator {
namespace {

bool is_projected(const RnnShape& shape) { return shape.projection != shape.hidden; }

/// What the first layer reads is the input, what later ones read the outputs of all directions.
std::int64_t columns_of_input(const RnnShape& shape, std::int64_t layer) {
  return layer < shape.directions ? shape.input : shape.projection * shape.directions;
}

std::int64_t matrices_of(const RnnShape& shape) { return 2 * shape.gates + (is_projected(shape) ? 1 : 0); }

RnnWeight shape_of_matrix(const RnnShape& shape, std::int64_t layer, std::int64_t place) {
  if (place < shape.gates) return {0, shape.hidden, columns_of_input(shape, layer)};
  if (place < 2 * shape.gates) return {0, shape.hidden, shape.projection};
  return {0, shape.projection, shape.hidden};
}

std::int64_t elements_of_layer(const RnnShape& shape, std::int64_t layer, std::int64_t matrices) {
  std::int64_t elements = 0;
  for (std::int64_t place = 0; place < matrices; ++place) {
    const RnnWeight weight = shape_of_matrix(shape, layer, place);
    elements += weight.rows * weight.columns;
  }
  return elements;
}

std::int64_t elements_of_matrices(const RnnShape& shape, std::int64_t layers) {
  std::int64_t elements = 0;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    elements += elements_of_layer(shape, layer, matrices_of(shape));
  }
  return elements;
}

std::int64_t all_layers(const RnnShape& shape) { return shape.layers * shape.directions; }

}  // namespace

bool is_valid(const RnnShape& shape) {
  return shape.input > 0 && shape.hidden > 0 && shape.layers > 0 && shape.projection > 0 &&
         shape.projection <= shape.hidden && shape.element_bytes > 0;
}

std::int64_t weight_space_bytes(const RnnShape& shape) {
  const std::int64_t biases = all_layers(shape) * shape.biases * shape.gates * shape.hidden;
  return (elements_of_matrices(shape, all_layers(shape)) + biases) * shape.element_bytes;
}

std::optional<RnnWeight> matrix_of(const RnnShape& shape, std::int64_t layer, std::int64_t place) {
  if (layer < 0 || layer >= all_layers(shape) || place < 0 || place >= matrices_of(shape)) return std::nullopt;
  RnnWeight weight = shape_of_matrix(shape, layer, place);
  weight.offset_bytes =
      (elements_of_matrices(shape, layer) + elements_of_layer(shape, layer, place)) * shape.element_bytes;
  return weight;
}

std::optional<RnnWeight> bias_of(const RnnShape& shape, std::int64_t layer, std::int64_t place) {
  if (layer < 0 || layer >= all_layers(shape) || place < 0 || place >= shape.biases * shape.gates) return std::nullopt;
  // All matrices come first, then all biases.
  const std::int64_t before = (layer * shape.biases * shape.gates + place) * shape.hidden;
  return RnnWeight{(elements_of_matrices(shape, all_layers(shape)) + before) * shape.element_bytes, shape.hidden, 1};
}

RnnSpaces spaces_of(const RnnShape& shape, std::int64_t steps, std::int64_t batch, bool training) {
  const std::int64_t step_bytes = batch * shape.gates * shape.hidden * shape.directions * shape.element_bytes;
  const std::int64_t states = 2 * batch * shape.hidden * shape.directions * shape.element_bytes;
  return {step_bytes, training ? shape.layers * steps * (step_bytes + states) : 0};
}

double flops_of(const RnnShape& shape, std::int64_t steps, std::int64_t batch) {
  return 2.0 * static_cast<double>(elements_of_matrices(shape, all_layers(shape))) * static_cast<double>(steps) *
         static_cast<double>(batch);
}

}  // namespace stepgate::emulator
