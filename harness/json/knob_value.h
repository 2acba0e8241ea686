// A knob's report as JSON. Internal to json/.
#pragma once

#include "core/knob.h"
#include "json/document.h"
#include "json/reader.h"

namespace stepgate {

Json value_of(const KnobReport& report);
Json value_of(const std::vector<KnobReport>& reports);

/// Throws as Reader does.
KnobReport knob_at(Reader reader);

}  // namespace stepgate
