// One function a verb: each adds the verb, its options and what it does. `twiddle VERB --help` says what that is.
#pragma once

#include "cli/program.h"

namespace twiddle::cli {

void add_demo(Program& program);
void add_new(Program& program);
void add_list(Program& program);
void add_devices(Program& program);
void add_trace(Program& program);
void add_record(Program& program);
void add_extract(Program& program);
void add_info(Program& program);
void add_print(Program& program);
void add_verify(Program& program);
void add_diff(Program& program);
void add_check(Program& program);
void add_query(Program& program);
void add_view(Program& program);
void add_export(Program& program);
void add_lesson(Program& program);
void add_bench(Program& program);
void add_completion(Program& program);
void add_man(Program& program);

}  // namespace twiddle::cli
