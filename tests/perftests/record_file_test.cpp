#include "support/record_file.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "perftests/data_folder.h"
#include "support/data_files.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

RecordSource source_in(const fs::path& folder, int& made, std::string records = "abcdefghi") {
  return {.folder = folder / "new" / "folder", .name = "letters.records", .record_bytes = 3, .make = [&made, records] {
            ++made;
            return records;
          }};
}

std::string record(const RecordFile& file, std::int64_t index) {
  std::string bytes(3, '?');
  file.read(index, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(RecordFile, IsMadeOnceAndThenRead) {
  const DataFolder folder;
  int made = 0;
  for (int i = 0; i < 3; ++i) {
    const RecordFile file(source_in(folder.path(), made));
    EXPECT_EQ(file.count(), 3);
    EXPECT_EQ(record(file, 2), "ghi");
    EXPECT_EQ(record(file, 0), "abc");
  }
  EXPECT_EQ(made, 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "new/folder"), {}), 1) << "no temporary file is left";
}

TEST(RecordFile, ADamagedFileIsMadeAgain) {
  const DataFolder folder;
  int made = 0;
  const RecordSource source = source_in(folder.path(), made);
  static_cast<void>(RecordFile(source));
  const std::string whole = text_of(source.folder / source.name);
  std::string flipped = whole;
  flipped.back() = 'x';
  for (const std::string& broken : {std::string(), whole.substr(0, whole.size() - 3), whole.substr(0, 20), flipped}) {
    folder.write("new/folder/letters.records", broken);
    made = 0;
    EXPECT_EQ(record(RecordFile(source), 2), "ghi");
    EXPECT_EQ(made, 1) << broken;
    EXPECT_EQ(text_of(source.folder / source.name), whole);
  }
}

TEST(RecordFile, AnotherRecordSizeIsAnotherFile) {
  const DataFolder folder;
  int made = 0;
  RecordSource source = source_in(folder.path(), made);
  static_cast<void>(RecordFile(source));
  source.record_bytes = 9;
  EXPECT_EQ(RecordFile(source).count(), 1);
  EXPECT_EQ(made, 2);
}

TEST(RecordFile, AFailureToMakeItLeavesNothingBehind) {
  const DataFolder folder;
  RecordSource source{.folder = folder.path(), .name = "r", .record_bytes = 3, .make = []() -> std::string {
                        throw DataError("no data");
                      }};
  EXPECT_THROW(RecordFile{source}, DataError);
  source.make = [] { return std::string("abcd"); };
  EXPECT_THROW(RecordFile{source}, std::invalid_argument) << "no whole records";
  source.make = [] { return std::string(); };
  EXPECT_THROW(RecordFile{source}, std::invalid_argument);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(RecordFile, AnUnfinishedFileIsRemoved) {
  const DataFolder folder;
  folder.write("new/folder/letters.records/in_the_way", "a folder where the file should be");
  int made = 0;
  EXPECT_THROW(RecordFile(source_in(folder.path(), made)), DataError);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "new/folder"), {}), 1);
}

TEST(RecordFile, SaysWhereItCouldNotWriteAndWhatToDo) {
  const DataFolder folder;
  folder.write("new", "a file where a folder should be");
  int made = 0;
  try {
    static_cast<void>(RecordFile(source_in(folder.path(), made)));
    FAIL() << "wrote below a file";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find((folder.path() / "new").string()), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("STEPGATE_CACHE"), std::string::npos) << error.what();
  }
}

TEST(RecordFile, RefusesRecordsThatItDoesNotHave) {
  const DataFolder folder;
  int made = 0;
  const RecordSource source = source_in(folder.path(), made);
  const RecordFile file(source);
  EXPECT_THROW(record(file, -1), std::out_of_range);
  EXPECT_THROW(record(file, 3), std::out_of_range);
  std::array<std::byte, 2> small{};
  EXPECT_THROW(file.read(0, small), std::out_of_range);
  fs::resize_file(source.folder / source.name, fs::file_size(source.folder / source.name) - 1);
  EXPECT_THROW(record(file, 2), DataError) << "cut off after it was opened";
}

TEST(RecordFile, ManyMakersAtOnceEndWithOneWholeFile) {
  const DataFolder folder;
  std::string records;
  for (int i = 0; i < 30'000; ++i) records += static_cast<char>('a' + i % 26);
  std::vector<std::thread> makers;
  std::atomic<int> right = 0;
  for (int i = 0; i < 4; ++i) {
    makers.emplace_back([&] {
      int made = 0;
      const RecordFile file(source_in(folder.path(), made, records));
      if (file.count() == 10'000 && record(file, 9'999) == records.substr(29'997)) ++right;
    });
  }
  for (std::thread& maker : makers) maker.join();
  EXPECT_EQ(right, 4);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "new/folder"), {}), 1);
}

}  // namespace
}  // namespace stepgate
