#include "support/text_corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "perftests/data_folder.h"

namespace stepgate {
namespace {

TEST(TextCorpus, KeepsTheRequestedOrder) {
  const DataFolder folder;
  folder.write("a.py", "first");
  folder.write("b.py", "second");
  const std::string a = sha256_hex("first");
  const std::string b = sha256_hex("second");
  const std::vector<DataFile> files = {{"b.py", b}, {"a.py", a}};
  const TextCorpus corpus = load_text_corpus(folder.path(), files);
  EXPECT_THAT(corpus.texts, testing::ElementsAre("second", "first"));
  EXPECT_EQ(corpus.digest, digest_of(files));
}

TEST(TextCorpus, ChecksOnlyTheFilesThatItReads) {
  const DataFolder folder;
  folder.write("a.py", "first");
  folder.write("b.py", "altered");
  const std::string a = sha256_hex("first");
  const std::string b = sha256_hex("second");
  EXPECT_NO_THROW(load_text_corpus(folder.path(), std::vector<DataFile>{{"a.py", a}}));
  EXPECT_THROW(load_text_corpus(folder.path(), std::vector<DataFile>{{"a.py", a}, {"b.py", b}}), DataError);
}

TEST(TextCorpus, AsksForThePythonSourcesOfTheList) {
  const DataFolder empty;
  try {
    load_python_sources(empty.path());
    FAIL() << "an empty folder was accepted as training data";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("sklearn/calibration.py"));
  }
}

TEST(TextCorpus, EveryByteHasASymbolAndPrintableOnesHaveTheirOwn) {
  std::set<std::int64_t> seen;
  for (int byte = 0; byte < 256; ++byte) {
    const std::int64_t symbol = symbol_of(static_cast<char>(byte));
    EXPECT_GE(symbol, 0);
    EXPECT_LT(symbol, padding_symbol) << "padding has its own symbol";
    seen.insert(symbol);
  }
  EXPECT_EQ(static_cast<std::int64_t>(seen.size()), vocabulary_size - 1);
  EXPECT_EQ(symbol_of('\n'), newline_symbol);
  EXPECT_EQ(symbol_of('\t'), other_symbol);
  EXPECT_EQ(symbol_of('\xe9'), other_symbol);
}

}  // namespace
}  // namespace stepgate
