#include "measure/passes/exact/process_mappings.h"

#include <gtest/gtest.h>

#include <string_view>

namespace stepgate {
namespace {

constexpr std::string_view sample_maps =
    "00400000-00402000 r-xp 00000000 08:01 11                         /opt/program\n"
    "00600000-00700000 rw-p 00000000 00:00 0                          [heap]\n"
    "7f0000000000-7f0000040000 r-xp 00000000 00:00 0 \n"
    "7f0000100000-7f0000180000 rw-p 00000000 00:00 0 \n"
    "7f0000180000-7f0004000000 ---p 00000000 00:00 0 \n"
    "7f0004000000-7f0004001000 rw-s 00000000 00:05 77                 /dev/zero (deleted)\n"
    "7f0005000000-7f0005001000 rw-s 00000000 00:05 78                 /dev/nvidiactl\n"
    "7f0006000000-7f0006003000 r--p 00000000 08:01 12                 /data/with a space\n"
    "7f0007000000-7f0007003000 r--p 00000000 08:01 12                 /data/with a space\n"
    "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0                  [stack]\n"
    "7ffc00030000-7ffc00031000 r-xp 00000000 00:00 0                  [vdso]\n";

TEST(ProcessMappings, CountWhatIsKeptAndLeaveOutReservesCodeStacksAndDevices) {
  const MappedMemory memory = mapped_memory(sample_maps, true);
  EXPECT_EQ(memory.bytes, 0x2000 + 0x100000 + 0x80000 + 0x1000 + 2 * 0x3000);
  EXPECT_EQ(memory.files, 4);
}

TEST(ProcessMappings, BesideADriverOnlyFilesCount) {
  EXPECT_EQ(mapped_memory(sample_maps, false).bytes, 0x2000 + 0x1000 + 2 * 0x3000);
}

TEST(ProcessMappings, HaveTheirNames) {
  const HeldThings bytes = mapped_bytes_by_name(sample_maps, true);
  EXPECT_EQ(bytes.at({"file", "/data/with a space"}), 0x6000);
  EXPECT_EQ(bytes.at({"anonymous memory", ""}), 0x80000);
  EXPECT_FALSE(bytes.contains({"anonymous memory", "[heap]"})) << "malloc's";
  EXPECT_EQ(mapped_files_by_name(sample_maps).at({"", "/data/with a space"}), 2);
}

TEST(ProcessMappings, ADamagedLineIsNoMapping) {
  for (const char* line : {"", "\n", "x", "00400000", "zz-yy rw-p", "00400000-", "- - - - - -", "\n\n 1-2"}) {
    EXPECT_EQ(mapped_memory(line, true).bytes, 0) << line;
  }
  EXPECT_EQ(mapped_memory("1000-3000 rw-p 0 00:00 0", true).bytes, 0x2000) << "without a name and a line end";
}

}  // namespace
}  // namespace stepgate
