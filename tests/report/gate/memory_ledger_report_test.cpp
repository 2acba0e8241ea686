#include "report/gate/memory_ledger_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/golden.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string case_name = "language/char_lm/tiny";

MemoryLedger sample_ledger() {
  return {.peak_bytes = 1918976,
          .step = 1,
          .boundary = "backward",
          .bytes = {{"activations", 831488},
                    {"gradients", 420000},
                    {"inputs", 3072},
                    {"optimizer_state", 400000},
                    {"parameters", 200000},
                    {"temporaries", 64416}}};
}

TEST(MemoryLedgerReport, GoldenAlone) {
  expect_golden("report/memory_ledger.txt", render_ledger({case_name, sample_ledger()}, {.ascii = true}));
}

TEST(MemoryLedgerReport, GoldenBesideABaseline) {
  MemoryLedger current = sample_ledger();
  current.bytes["activations"] += 131072;
  current.bytes["workspace"] = 8519680;
  current.peak_bytes += 131072 + 8519680;
  current.fragmentation_bytes = 2097152;
  MemoryLedger baseline = sample_ledger();
  baseline.bytes["setup"] = 512;
  baseline.peak_bytes += 512;
  expect_golden("report/memory_ledger_compared.txt", render_ledger({case_name, current, &baseline}, {}));
}

TEST(MemoryLedgerReport, ShowsToTheByteWhereKindsDoNotAddUp) {
  MemoryLedger ledger = sample_ledger();
  ledger.peak_bytes += 7;
  EXPECT_THAT(render_ledger({case_name, ledger}, {}),
              HasSubstr("1 918 976 B added up, 1 918 983 B by the allocator's own count"));
}

TEST(MemoryLedgerReport, NamesFromFilesCannotDriveTheTerminal) {
  MemoryLedger ledger = sample_ledger();
  ledger.boundary = "\x1b[2J";
  ledger.bytes["\x1b]0;x\a"] = 5;
  EXPECT_THAT(render_ledger({case_name, ledger}, {}), Not(HasSubstr("\x1b")));
}

TEST(MemoryLedgerReport, AnEmptyLedgerHasNoShares) {
  EXPECT_THAT(render_ledger({case_name, MemoryLedger{}}, {}), Not(HasSubstr("%")));
}

}  // namespace
}  // namespace stepgate
