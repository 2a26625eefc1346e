// The table of contents: every verb of the command line, each in the file of its name.
#include "cli/program.h"
#include "cli/repair_search.h"
#include "cli/verbs.h"
#include "tracer/runtimes/open_runtime.h"

int main(int count, char** arguments) {
  using namespace twiddle::cli;
  twiddle::allow_probes(count, arguments);
  remember_command_line(count, arguments);
  Program program;

  add_demo(program);  // trace an 8-point FFT, print its log, show it
  add_new(program);   // a kernel and a plan to start from

  add_list(program);     // what there is: algorithms, signals
  add_devices(program);  // where it can run

  add_trace(program);    // run on a device, log what every work-item did
  add_record(program);   // run anyone's program, log what its kernels did
  add_extract(program);  // one launch of a trace as a plan of its own
  add_info(program);     // what a trace holds
  add_print(program);    // its operations as text, CSV or JSON
  add_verify(program);   // how far the outcome is from a double-precision reference
  add_diff(program);     // where two traces differ
  add_check(program);    // what is wrong or wasteful in it
  add_query(program);    // the trace as tables, in SQL

  add_view(program);    // the window, or a picture of it
  add_export(program);  // pictures and data for slides, papers and notebooks

  add_lesson(program);  // the course, and the user's own lessons

  add_bench(program);  // what tracing costs here

  add_completion(program);
  add_man(program);
  return program.run(count, arguments);
}
