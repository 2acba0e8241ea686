// A knob's report as JSON. Internal to json/.
#pragma once

#include "core/host/knob.h"
#include "json/text/document.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const KnobReport& report);
Json value_of(const std::vector<KnobReport>& reports);

/// Throws as Reader does.
KnobReport knob_at(Reader reader);

}  // namespace stepgate
