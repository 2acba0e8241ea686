// The passes h2d, logging, device_work and those of checkpoints inside run records. Internal to json/ (mentions
// nlohmann).
#pragma once

#include "core/record/run_record.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const CopyTrials& trials);
CopyTrials copy_trials_at(Reader reader);

Json value_of(const std::vector<LoggingBlock>& blocks);
std::vector<LoggingBlock> logging_blocks_at(const Reader& reader);

Json value_of(const std::vector<DeviceWorkWindow>& windows);
std::vector<DeviceWorkWindow> device_work_at(const Reader& reader);

Json value_of(const CheckpointSaves& saves);
CheckpointSaves checkpoint_saves_at(Reader reader);

}  // namespace stepgate
