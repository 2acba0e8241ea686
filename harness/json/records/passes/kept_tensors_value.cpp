#include "json/records/passes/kept_tensors_value.h"

namespace stepgate {

Json value_of(const KeptTensor& kept) {
  return {{"index", kept.index},           {"tensor", kept.tensor}, {"bytes", kept.bytes},
          {"first_step", kept.first_step}, {"times", kept.times},   {"overwritten", kept.overwritten}};
}

KeptTensor kept_tensor_at(Reader reader) {
  return {.index = reader.at("index").count(),
          .tensor = reader.at("tensor").text(),
          .bytes = reader.at("bytes").count(),
          .first_step = reader.at("first_step").count(),
          .times = reader.at("times").count(),
          .overwritten = reader.at("overwritten").boolean()};
}

}  // namespace stepgate
