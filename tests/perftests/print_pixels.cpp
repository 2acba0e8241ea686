// Writes the decoded pixels of a JPEG file to stdout. It is a separate program, because libjpeg-turbo reads the allowed
// vector instructions from the environment only once per process.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "support/jpeg.h"

int main(int /*argc*/, char** argv) {
  std::ifstream stream(argv[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const stepgate::RgbImage image = stepgate::decode_jpeg(bytes);
  return std::fwrite(image.pixels.data(), 1, image.pixels.size(), stdout) == image.pixels.size() ? 0 : 1;
}
