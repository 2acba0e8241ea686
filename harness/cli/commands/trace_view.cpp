#include "cli/commands/trace_view.h"

#include "cli/output.h"
#include "cli/show.h"
#include "experiment/studies/trace_profile.h"
#include "json/studies/trace_account_json.h"
#include "report/profile/trace_page.h"

namespace stepgate {

int show_trace(const std::filesystem::path& trace, const Options& options) {
  const TraceAccount account = profile_trace(trace);
  if (options.json) {
    print_json(to_text(account));
  } else {
    print_page(stdout, render_trace_account(account, console_style(options)), console_style(options));
  }
  return 0;
}

}  // namespace stepgate
