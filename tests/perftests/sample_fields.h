// A table of painted digits for tests of the field transformers.
#pragma once

#include "perftests/data_folder.h"
#include "perftests/sample_digits.h"
#include "tabular/field_rows.h"

namespace stepgate {

/// zlib reads a file that is not packed as it is, so the text serves as the packed file.
inline FieldTable painted_fields(const DataFolder& folder) {
  folder.write("painted.csv", painted_digits(200));
  return {.packed = folder.path() / "painted.csv", .records = painted_data(folder).records, .digest = "painted"};
}

}  // namespace stepgate
