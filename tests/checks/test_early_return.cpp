// An access outside of its buffer behind a return that leaves a barrier out: what devices make of that is their affair.
#include "test_support.h"
#include "tracer/checks/check.h"
#include "tracer/replay/replay.h"
#include "tracer/store/memory_trace.h"

#include <doctest.h>

#include <utility>

using namespace twiddle;

TEST_CASE("an access outside of its buffer behind an early return says what that return leaves out") {
  // The kernel's third line, and whether the advice is about it.
  for (const auto& [line, expected] :
       {std::pair("  if (i >= n) return;", true), std::pair("  int unused = 0;", false)}) {
    CAPTURE(line);
    TraceInfo info;
    info.runtime = "opencl";
    info.sources = {{"k.cl", std::string("kernel void k(global int *x, int n)\n{ int i = get_global_id(0);\n") + line +
                                 "\n  barrier(CLK_LOCAL_MEM_FENCE);\n  x[i] = 1;\n}\n"}};
    BufferInfo buffer;
    buffer.name = "x";
    buffer.type = ElementType::Int;
    buffer.count = 1;
    buffer.shape = {1};
    buffer.initialised = true;
    info.buffers.push_back(buffer);
    LaunchInfo launch;
    launch.number = 1;
    launch.kernel = "k";
    launch.global[0] = launch.local[0] = 2;
    launch.accesses.logged = true;
    AccessSite barrier, store;
    barrier.kind = AccessKind::Barrier;
    barrier.scope = MemoryScope::Group;
    barrier.line = 4;
    store.kind = AccessKind::Store;
    store.line = 5;
    AccessLog log;
    log.sites = {barrier, store};
    log.begin = {0, 2, 4};
    log.site = {0, 1, 0, 1};
    log.buffer = {-1, 0, -1, 0};
    log.offset = {0, 0, 0, 4};
    log.value = {ordered_local, 1, ordered_local, 1};
    launch.accesses.kept = log.size();
    MemoryTrace memory;
    memory.begin(info);
    memory.first_content(0, std::vector<std::byte>(4));
    memory.begin_launch(launch);
    memory.add_sites({}, log.sites);
    memory.accesses(log);
    memory.end_launch(launch, nullptr);
    Replay replay(memory.finish());
    int outside = 0;
    for (const Finding& finding : check_trace(replay)) {
      if (finding.kind != FindingClass::OutOfBounds) continue;
      ++outside;
      CHECK(contains(finding.advice.english(), "Line 3 returns before the barrier of line 4") == expected);
    }
    CHECK(outside == 1);
  }
}
