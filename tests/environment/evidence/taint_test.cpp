#include "environment/evidence/taint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;

Evidence evidence_with(EvidenceKey key, double value) { return {.values = {{key, value}}, .absent = {}}; }

TEST(Taint, NamesTheValueAndItsLimit) {
  EXPECT_THAT(taint_reasons(evidence_with(EvidenceKey::steal_fraction, 0.034), default_taint_limits()),
              ElementsAre("steal_fraction 0.034 above 0.01: the hypervisor ran another machine"));
}

TEST(Taint, AValueAtItsLimitIsClean) {
  EXPECT_THAT(taint_reasons(evidence_with(EvidenceKey::steal_fraction, 0.01), default_taint_limits()), IsEmpty());
  EXPECT_THAT(taint_reasons(evidence_with(EvidenceKey::swap_pages, 0), default_taint_limits()), IsEmpty());
}

TEST(Taint, AnyThrottlingSwappingOrMoveDiscards) {
  for (const EvidenceKey key :
       {EvidenceKey::quota_throttled_periods, EvidenceKey::swap_pages, EvidenceKey::cpu_throttle_events,
        EvidenceKey::affinity_changed, EvidenceKey::numa_pages_migrated, EvidenceKey::cpu_offline,
        EvidenceKey::knobs_overwritten}) {
    EXPECT_THAT(taint_reasons(evidence_with(key, 1), default_taint_limits()),
                ElementsAre(StartsWith(std::string(name_of(key)) + " 1 above 0: ")));
  }
}

TEST(Taint, NothingThatTheMeasuredCodeCausesDiscards) {
  for (const EvidenceKey key :
       {EvidenceKey::minor_faults, EvidenceKey::major_faults, EvidenceKey::voluntary_switches,
        EvidenceKey::involuntary_switches, EvidenceKey::wall_s, EvidenceKey::load_average,
        EvidenceKey::memory_stall_fraction, EvidenceKey::interrupt_fraction, EvidenceKey::cpu_mean_mhz,
        EvidenceKey::watch_cpu_fraction, EvidenceKey::gpu_power_cap_fraction, EvidenceKey::gpu_power_w,
        EvidenceKey::own_wait_fraction, EvidenceKey::own_affinity_change}) {
    EXPECT_THAT(taint_reasons(evidence_with(key, 1e9), default_taint_limits()), IsEmpty()) << name_of(key);
  }
}

TEST(Taint, OthersOnTheSameCpusDiscard) {
  EXPECT_THAT(taint_reasons(evidence_with(EvidenceKey::runqueue_wait_fraction, 0.06), default_taint_limits()),
              SizeIs(1));
  EXPECT_THAT(taint_reasons(evidence_with(EvidenceKey::runqueue_wait_fraction, 0.05), default_taint_limits()),
              IsEmpty());
  EXPECT_THAT(taint_reasons(evidence_with(EvidenceKey::foreign_busy_fraction, 0.11), default_taint_limits()),
              SizeIs(1));
}

TEST(Taint, AKeyThatOnlyAPolicyLimitsReadsAsWhatItCounts) {
  EXPECT_THAT(taint_reasons(evidence_with(EvidenceKey::major_faults, 3), {{EvidenceKey::major_faults, 0}}),
              ElementsAre("major_faults 3 above 0: page faults with a disk access"));
}

TEST(Taint, AMissingValueDiscardsNothing) { EXPECT_THAT(taint_reasons(Evidence{}, default_taint_limits()), IsEmpty()); }

TEST(Taint, PolicyOverridesKeyByKey) {
  const auto limits = taint_limits_with({{EvidenceKey::steal_fraction, 0.2}, {EvidenceKey::load_average, 9}});
  EXPECT_THAT(limits, Contains(Pair(EvidenceKey::steal_fraction, 0.2)));
  EXPECT_THAT(limits, Contains(Pair(EvidenceKey::load_average, 9)));
  EXPECT_THAT(limits, Contains(Pair(EvidenceKey::swap_pages, 0)));
  EXPECT_THAT(taint_limits_with({}), Not(Contains(Key(EvidenceKey::load_average))));
}

}  // namespace
}  // namespace stepgate
