// The parts that the account of a trace and a profile have in common, as JSON.
#pragma once

#include "core/study/profile.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const AccountPart& part);
Json value_of(const BottleneckVerdict& verdict);

}  // namespace stepgate
