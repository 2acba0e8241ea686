// Which mode each case needs, as a document: stepgate doctor CASE --device emulated:MODEL --json
// (schemas/case_modes.schema.json).
#pragma once

#include <string>

#include "core/study/case_modes.h"

namespace stepgate {

std::string to_text(const CaseModes& modes);

}  // namespace stepgate
