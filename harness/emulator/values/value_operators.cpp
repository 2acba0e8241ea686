#include "emulator/values/value_operators.h"

namespace stepgate::emulator {

const ValueOperator* find_value_operator(std::string_view name) {
  for (const auto family :
       {attention_values, batch_norm_values, convolution_values, dropout_values, rms_norm_values, rnn_values}) {
    for (const ValueOperator& found : family()) {
      if (found.name == name) return &found;
    }
  }
  return nullptr;
}

}  // namespace stepgate::emulator
