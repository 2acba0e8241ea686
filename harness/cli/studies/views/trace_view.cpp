#include "cli/studies/views/trace_view.h"

#include "cli/output.h"
#include "experiment/studies/trace_profile.h"
#include "json/studies/trace_account_json.h"
#include "report/profile/trace_page.h"

namespace stepgate {

int show_trace(const std::filesystem::path& trace, const StudyOutput& output) {
  const TraceAccount account = profile_trace(trace);
  if (output.json) {
    print_json(to_text(account));
  } else {
    print_page(stdout, render_trace_account(account, console_style(output.style)), console_style(output.style));
  }
  return 0;
}

}  // namespace stepgate
