// The figures of one check of a GPU as a document: what stepgate_device_check writes
// (schemas/device_check.schema.json).
#pragma once

#include <string>
#include <string_view>

#include "core/study/device_check.h"

namespace stepgate {

/// Throws Error(measure) naming a value that is not finite.
std::string to_text(const DeviceFigures& figures);

/// Ignores unknown keys. Throws Error(measure) naming `source` and the key.
DeviceFigures device_figures_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
