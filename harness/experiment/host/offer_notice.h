// Notices about the GPUs that processes may use.
#pragma once

#include <optional>

#include "core/study/doctor.h"
#include "environment/gpu/choice/gpu_choice.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// What is unusual about the offer, with its remedy; absent where all is plain.
std::optional<Notice> offer_notice(const GpuOffer& offer);

/// The setting "gpu": the first GPU of the offer, which a case gets, and what decided it.
EffectiveSetting gpu_setting(const GpuOffer& offer);

}  // namespace stepgate
