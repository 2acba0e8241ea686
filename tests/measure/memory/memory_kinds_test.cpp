#include "measure/memory/memory_kinds.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

/// One block, allocated and freed at given positions; the trace runs `steps` steps.
struct Life {
  MemoryPlace made;
  std::optional<MemoryPlace> freed = std::nullopt;
  MemoryRole role = MemoryRole::none;
};

constexpr MemoryTrace::Address address = 1;

void visit(MemoryPlace place, const Life& life, MemoryTrace& trace) {
  trace.enter(place);
  if (life.made == place) {
    trace.allocate(address, 8);
    if (life.role != MemoryRole::none) trace.mark(address, life.role);
  }
  if (life.freed == place) trace.release(address);
}

MemoryKind kind_of(const Life& life, std::int64_t steps = 3) {
  MemoryTrace trace;
  if (life.made.step < 0) trace.allocate(address, 8);
  if (life.role != MemoryRole::none) trace.mark(address, life.role);
  for (std::int64_t step = 0; step < steps; ++step) {
    for (Boundary boundary : all_boundaries) visit({step, boundary}, life, trace);
    visit({step, std::nullopt}, life, trace);
  }
  return kinds_of(trace).at(0);
}

MemoryPlace in(Boundary boundary, std::int64_t step = 1) { return {step, boundary}; }
constexpr MemoryPlace release = {1, std::nullopt};

TEST(MemoryKinds, MarksOverridePositions) {
  EXPECT_EQ(kind_of({.made = {}, .role = MemoryRole::parameter}), MemoryKind::parameters);
  EXPECT_EQ(kind_of({.made = {}, .role = MemoryRole::gradient}), MemoryKind::gradients);
  EXPECT_EQ(kind_of({in(Boundary::backward), in(Boundary::optimizer), MemoryRole::gradient}), MemoryKind::gradients);
}

TEST(MemoryKinds, WhatWasThereBeforeTheFirstStepIsSetup) {
  EXPECT_EQ(kind_of({.made = {}}), MemoryKind::setup);
  EXPECT_EQ(kind_of({{}, in(Boundary::forward)}), MemoryKind::setup);
}

TEST(MemoryKinds, WhatItsOwnBoundaryFreesIsATemporaryWhereverItIs) {
  for (Boundary boundary : all_boundaries) EXPECT_EQ(kind_of({in(boundary), in(boundary)}), MemoryKind::temporaries);
}

TEST(MemoryKinds, BatchesAndCopyBuffersAreInputs) {
  EXPECT_EQ(kind_of({in(Boundary::data_wait), release}), MemoryKind::inputs);
  EXPECT_EQ(kind_of({.made = in(Boundary::h2d)}), MemoryKind::inputs);
}

TEST(MemoryKinds, WhatForwardKeepsIsActivations) {
  EXPECT_EQ(kind_of({in(Boundary::forward), in(Boundary::backward)}), MemoryKind::activations);
  EXPECT_EQ(kind_of({in(Boundary::forward), release}), MemoryKind::activations);
  EXPECT_EQ(kind_of({in(Boundary::forward), in(Boundary::forward, 2)}), MemoryKind::activations);
}

TEST(MemoryKinds, LaterBoundariesMakeTemporariesUnlessTheStepEndsFirst) {
  EXPECT_EQ(kind_of({in(Boundary::backward), in(Boundary::optimizer)}), MemoryKind::temporaries);
  EXPECT_EQ(kind_of({in(Boundary::optimizer), release}), MemoryKind::temporaries);
  EXPECT_EQ(kind_of({in(Boundary::logging), release}), MemoryKind::temporaries);
  EXPECT_EQ(kind_of({in(Boundary::backward), in(Boundary::backward, 2)}), MemoryKind::workspace);
  EXPECT_EQ(kind_of({.made = in(Boundary::logging)}), MemoryKind::workspace);
  EXPECT_EQ(kind_of({.made = release}), MemoryKind::workspace);
}

TEST(MemoryKinds, WhatTheOptimizerKeepsIsItsState) {
  EXPECT_EQ(kind_of({.made = in(Boundary::optimizer, 0)}), MemoryKind::optimizer_state);
  EXPECT_EQ(kind_of({in(Boundary::optimizer), in(Boundary::forward, 2)}), MemoryKind::optimizer_state);
}

TEST(MemoryKinds, WhatTheFirstForwardAloneKeepsForGoodIsWorkspace) {
  EXPECT_EQ(kind_of({.made = in(Boundary::forward, 0)}), MemoryKind::workspace);
  EXPECT_EQ(kind_of({in(Boundary::forward, 0), in(Boundary::forward, 2)}), MemoryKind::activations);
  EXPECT_EQ(kind_of({.made = in(Boundary::forward, 1)}), MemoryKind::activations);
}

std::vector<MemoryKind> kinds_where_forward_keeps(const std::vector<std::int64_t>& steps) {
  MemoryTrace trace;
  for (std::int64_t step = 0; step < 5; ++step) {
    trace.enter({step, Boundary::forward});
    if (std::find(steps.begin(), steps.end(), step) != steps.end()) {
      trace.allocate(static_cast<MemoryTrace::Address>(step), 8);
    }
    trace.enter({step, std::nullopt});
  }
  return kinds_of(trace);
}

TEST(MemoryKinds, AGraphThatEachStepLeavesBehindLeaksActivationsFromTheFirstOn) {
  constexpr auto activations = MemoryKind::activations;
  EXPECT_EQ(kinds_where_forward_keeps({0, 1, 2, 3, 4}), std::vector<MemoryKind>(5, activations));
  EXPECT_EQ(kinds_where_forward_keeps({0, 1, 2, 3}), std::vector<MemoryKind>(4, activations));
  EXPECT_EQ(kinds_where_forward_keeps({0, 1, 3}),
            (std::vector<MemoryKind>{MemoryKind::workspace, activations, activations}));
}

}  // namespace
}  // namespace stepgate
