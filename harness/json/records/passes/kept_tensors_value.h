// Tensors of batches that the user's code kept, inside run records. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/run_record.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const KeptTensor& kept);
KeptTensor kept_tensor_at(Reader reader);

}  // namespace stepgate
