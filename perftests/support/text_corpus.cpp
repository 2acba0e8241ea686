#include "support/text_corpus.h"

namespace stepgate {

TextCorpus load_text_corpus(const std::filesystem::path& data_dir, std::span<const DataFile> files) {
  TextCorpus corpus;
  for (const DataFile& file : files) corpus.texts.push_back(read_data_file(data_dir, file));
  corpus.digest = digest_of(files);
  return corpus;
}

TextCorpus load_python_sources(const std::filesystem::path& data_dir) {
  return load_text_corpus(data_dir, listed_data_files_ending_with(".py"));
}

}  // namespace stepgate
