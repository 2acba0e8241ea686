// What a tree changes of its limits, inside verdict.json. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/verdict/limit_change.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const LimitReview& review);
LimitReview limit_review_at(Reader reader);

}  // namespace stepgate
