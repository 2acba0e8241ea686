// Writes rows of a text table that are also lines of a CSV file.
#pragma once

#include <string>
#include <vector>

#include "lab/suite_outcome.h"

namespace stepgate::lab {

/// "3.9 % [3.5, 4.3]"
std::string show(const Share& share);

/// Prints the title, then the head of the table with the first row, and each finished row. `csv` must outlive this.
class RowWriter {
 public:
  RowWriter(const std::string& title, std::string table, std::string& csv);
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  void begin(const std::string& name);
  void share(const std::string& column, const Share& share);
  void number(const std::string& column, double value, int decimals = 1);
  /// A relative change.
  void percent(const std::string& column, double value);
  void end();

 private:
  void cell(const std::string& column, const std::string& text);

  std::string table_;
  std::string& csv_;
  std::string name_;
  std::string head_;
  std::string line_;
  bool head_printed_ = false;
};

}  // namespace stepgate::lab
