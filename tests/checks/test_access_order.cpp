// What orders accesses and what does not: litmus tests of races, of memory that was not written, and of accesses outside.
#include "tracer/checks/limits.h"
#include "tracer/replay/replay.h"
#include "tracer/store/memory_trace.h"

#include <doctest.h>

#include <map>
#include <sstream>

using namespace twiddle;

namespace {

// A work-item's accesses, a word each, separated by blanks:
//   Lx2 loads x[2], Sx2 stores into it, Sx2=5 the value 5
//   Vx2=5, Ux2=5 the same through a volatile pointer (store, load)
//   Ax0:3>4 atomically changes x[0] from 3 to 4 (relaxed), Rx0:3>4 releasing; Qx0:4 atomically loads 4
//   Cx2<y1 copies asynchronously, W waits for copies
//   Bl, Bg, Blg barriers of the group for local, global or both memories; Y a meeting of the sub-group
//   F a fence, for the device and for both memories; Fa acquires and Fr releases alone; Fw is for the group, Fl for local memory
//   Ex0:3>4 exchanges 3 for 4
//   Px0:1 loads acquiring, Dx0=1 stores releasing, Zx0=1 stores relaxed, all atomically; with a w before the place
//   (Pwx0:1) of the group's scope
// Buffers: x and y are global, of 8 elements; t is local, of 8; u is global and uninitialised.
struct Program {
  std::string name;
  bool cuda;
  int group_size;
  std::vector<const char*> items;
  std::string expected;  // classes of errors and warnings, in alphabetical order, once each
};

class Recorder {
 public:
  explicit Recorder(const Program& program) : program_(program) {
    info_.runtime = "host";
    info_.sources = {{program.cuda ? "k.cu" : "k.cl", ""}};
    for (const char* name : {"x", "y", "t", "u"}) {
      BufferInfo buffer;
      buffer.name = name;
      buffer.type = ElementType::Int;
      buffer.count = 8;
      buffer.shape = {8};
      buffer.space = *name == 't' ? Space::Local : Space::Global;
      buffer.initialised = *name == 'x' || *name == 'y';
      if (*name == 't') buffer.launch = 1;
      info_.buffers.push_back(buffer);
    }
  }

  std::string classes(const CheckLimits& limits = {}) {
    LaunchInfo launch;
    launch.number = 1;
    launch.kernel = "k";
    launch.global[0] = program_.items.size();
    launch.local[0] = static_cast<std::size_t>(program_.group_size);
    launch.accesses.logged = true;
    AccessLog log;
    log.begin = {0};
    for (const char* item : program_.items) {
      std::istringstream words(item);
      for (std::string word; words >> word;) add(log, word);
      log.begin.push_back(log.site.size());
    }
    log.sites = sites_;
    info_.sources.front().text.clear();
    for (const AccessSite& one : sites_)
      info_.sources.front().text +=
          is_atomic(one.kind) && one.scope == MemoryScope::System ? "atomicExch(p, v);\n" : ";\n";
    launch.accesses.kept = log.size();
    MemoryTrace memory;
    memory.begin(info_);
    for (int b : {0, 1}) memory.first_content(b, std::vector<std::byte>(32));
    memory.begin_launch(launch);
    memory.add_sites({}, sites_);
    memory.accesses(log);
    memory.end_launch(launch, nullptr);
    Replay replay(memory.finish());
    std::map<std::string, int> found;
    const CheckedTrace checked = checked_trace(replay, {}, limits);
    for (const Unchecked& one : checked.unchecked) unchecked += one.what.english() + "\n";
    for (const Finding& finding : checked.findings)
      if (finding.severity != Severity::Note) ++found[std::string(name_of(finding.kind))];
    std::string text;
    for (const auto& [name, count] : found) text += (text.empty() ? "" : " ") + name;
    return text;
  }

  std::string unchecked;  // a line each

 private:
  std::uint32_t site(AccessKind kind, Space space, MemoryOrder order = MemoryOrder::Relaxed, bool is_volatile = false,
                     MemoryScope scope = MemoryScope::Device) {
    AccessSite one;
    one.kind = kind;
    one.space = space;
    one.order = order;
    one.scope = scope;
    one.is_volatile = is_volatile;
    one.line = static_cast<int>(sites_.size()) + 1;
    const auto same = [&](const AccessSite& other) {
      return other.kind == kind && other.space == space && other.order == order && other.is_volatile == is_volatile &&
             other.scope == scope;
    };
    const auto known = std::find_if(sites_.begin(), sites_.end(), same);
    if (known != sites_.end()) return static_cast<std::uint32_t>(known - sites_.begin());
    sites_.push_back(one);
    return static_cast<std::uint32_t>(sites_.size() - 1);
  }

  void put(AccessLog& log, std::uint32_t site, int buffer, std::uint64_t element, std::uint64_t value) {
    log.site.push_back(site);
    log.buffer.push_back(buffer);
    log.offset.push_back(buffer < 0 ? element : element * 4);
    log.value.push_back(value);
  }

  void add(AccessLog& log, std::string word) {
    const bool of_group = word.size() > 2 && word[1] == 'w' && word[0] != 'F';
    if (of_group) word.erase(1, 1);
    const MemoryScope scope = of_group ? MemoryScope::Group : MemoryScope::Device;
    const auto buffer = [&](std::size_t at) { return static_cast<int>(std::string("xytu").find(word[at])); };
    const auto number = [&](std::size_t at) { return std::stoull(word.substr(at)); };
    const auto space = [&](std::size_t at) { return word[at] == 't' ? Space::Local : Space::Global; };
    const auto after = [&](char mark, std::uint64_t otherwise) {
      const std::size_t at = word.find(mark);
      return at == std::string::npos ? otherwise : number(at + 1);
    };
    switch (word[0]) {
      case 'L': put(log, site(AccessKind::Load, space(1)), buffer(1), number(2), after('=', 0)); break;
      case 'S': put(log, site(AccessKind::Store, space(1)), buffer(1), number(2), after('=', log.size() + 100)); break;
      case 'V':
        put(log, site(AccessKind::Store, space(1), MemoryOrder::Relaxed, true), buffer(1), number(2), after('=', 1));
        break;
      case 'U':
        put(log, site(AccessKind::Load, space(1), MemoryOrder::Relaxed, true), buffer(1), number(2), after('=', 1));
        break;
      case 'A':
      case 'R': {
        const MemoryOrder order = word[0] == 'R' ? MemoryOrder::Release : MemoryOrder::Relaxed;
        put(log, site(AccessKind::AtomicLoad, space(1), order, false, scope), buffer(1), number(2), after(':', 0));
        put(log, site(AccessKind::AtomicStore, space(1), order, false, scope), buffer(1), number(2), after('>', 0));
        break;
      }
      case 'E': {
        // A statement of its own: no other word is of this scope.
        for (const AccessKind kind : {AccessKind::AtomicLoad, AccessKind::AtomicStore})
          put(log, site(kind, space(1), MemoryOrder::Relaxed, false, MemoryScope::System), buffer(1), number(2),
              after(kind == AccessKind::AtomicLoad ? ':' : '>', 0));
        break;
      }
      case 'Q':
      case 'P': {
        const MemoryOrder order = word[0] == 'P' ? MemoryOrder::Acquire : MemoryOrder::Relaxed;
        put(log, site(AccessKind::AtomicLoad, space(1), order, false, scope), buffer(1), number(2), after(':', 0));
        break;
      }
      case 'D':
      case 'Z': {
        const MemoryOrder order = word[0] == 'D' ? MemoryOrder::Release : MemoryOrder::Relaxed;
        put(log, site(AccessKind::AtomicStore, space(1), order, false, scope), buffer(1), number(2), after('=', 0));
        break;
      }
      case 'C':
        put(log, site(AccessKind::CopyLoad, space(4)), buffer(4), number(5), 0);
        put(log, site(AccessKind::CopyStore, space(1)), buffer(1), number(2), 0);
        break;
      case 'W': put(log, site(AccessKind::CopyWait, Space::Local), -1, 0, 0); break;
      case 'B': {
        std::uint64_t memory = 0;
        if (word.find('l') != std::string::npos) memory |= ordered_local;
        if (word.find('g') != std::string::npos) memory |= ordered_global;
        put(log, site(AccessKind::Barrier, Space::Local, MemoryOrder::Relaxed, false, MemoryScope::Group), -1, 0,
            memory);
        break;
      }
      case 'F': {
        const char what = word.size() > 1 ? word[1] : ' ';
        const MemoryOrder order = what == 'a'   ? MemoryOrder::Acquire
                                  : what == 'r' ? MemoryOrder::Release
                                                : MemoryOrder::AcquireRelease;
        put(log,
            site(AccessKind::Fence, Space::Global, order, false,
                 what == 'w' ? MemoryScope::Group : MemoryScope::Device),
            -1, 0, what == 'l' ? ordered_local : ordered_local | ordered_global);
        break;
      }
      case 'Y':
        put(log, site(AccessKind::Barrier, Space::Local, MemoryOrder::Relaxed, false, MemoryScope::SubGroup), -1, 0,
            ordered_local | ordered_global);
        break;
      case 'N': put(log, site(AccessKind::Load, Space::Global), -1, 0, 0); break;
      default: FAIL("no such word: " << word);
    }
  }

  const Program& program_;
  TraceInfo info_;
  std::vector<AccessSite> sites_;
};

const std::vector<Program> programs = {
    {"each its own element", false, 2, {"Lx0 Sx0", "Lx1 Sx1"}, ""},
    {"one writes what another reads", false, 2, {"Sx0", "Lx0"}, "race"},
    {"both write, different values", false, 2, {"Sx0=1", "Sx0=2"}, "race"},
    {"both write one value", false, 2, {"Sx0=7", "Sx0=7"}, "race-same-value"},
    {"a barrier between", false, 2, {"Sx0 Bg Lx1", "Sx1 Bg Lx0"}, ""},
    {"a barrier for the other memory", false, 2, {"Sx0 Bl Lx1", "Sx1 Bl Lx0"}, "race"},
    {"local memory with a barrier for local memory", false, 2, {"St0 Bl Lt1", "St1 Bl Lt0"}, ""},
    {"local memory with a barrier for global memory only", false, 2, {"St0 Bg Lt1", "St1 Bg Lt0"}, "race"},
    {"a fence is no barrier", false, 2, {"Sx0 F Lx1", "Sx1 F Lx0"}, "race"},
    {"a barrier does not reach across groups", false, 1, {"Sx0 Bg", "Bg Lx0"}, "race"},
    {"local memory is each group's own", false, 1, {"St0 Lt0", "St0 Lt0"}, ""},
    {"atomics do not race with atomics", false, 2, {"Ax0:0>1", "Ax0:1>2"}, ""},
    {"atomics race with plain reads", false, 2, {"Ax0:0>1", "Lx0"}, "race"},
    {"plain writes race with atomics", false, 2, {"Sx0", "Ax0:0>1"}, "race"},
    {"a read atomically while another writes plainly", false, 2, {"Qx0:0", "Sx0"}, "race"},
    {"a failed exchange only reads", false, 2, {"Qx0:0", "Lx0"}, ""},
    {"released and acquired across groups", false, 1, {"Sy3 Rx0:0>1", "Px0:1 Ly3"}, ""},
    {"relaxed orders nothing", false, 1, {"Sy3 Ax0:0>1", "Qx0:1 Ly3"}, "race"},
    {"released, and acquired by no one", false, 1, {"Sy3 Rx0:0>1", "Qx0:1 Ly3"}, "race"},
    {"acquired, and released by no one", false, 1, {"Sy3 Ax0:0>1", "Px0:1 Ly3"}, "race"},
    {"read before it is acquired", false, 1, {"Sy3 Rx0:0>1", "Ly3 Px0:1"}, "race"},
    {"written after it was released", false, 1, {"Rx0:0>1 Sy3", "Px0:1 Ly3"}, "race"},
    {"the release is of the group's scope", false, 1, {"Sy3 Dwx0=1", "Px0:1 Ly3"}, "race"},
    {"the acquire is of the group's scope", false, 1, {"Sy3 Dx0=1", "Pwx0:1 Ly3"}, "race"},
    {"the group's scope inside of the group", false, 2, {"Sy3 Dwx0=1", "Pwx0:1 Ly3"}, ""},
    {"a fence before a relaxed atomic releases, one after it acquires", true, 1, {"Sy3 F Ax0:0>1", "Qx0:1 F Ly3"}, ""},
    {"a fence of the other kind on either side", false, 1, {"Sy3 Fa Zx0=1", "Qx0:1 Fr Ly3"}, "race"},
    {"fences of the kinds that belong there", false, 1, {"Sy3 Fr Zx0=1", "Qx0:1 Fa Ly3"}, ""},
    {"the releasing fence comes before the write", true, 1, {"F Sy3 Ax0:0>1", "Qx0:1 F Ly3"}, "race"},
    {"the acquiring fence comes after the read", true, 1, {"Sy3 F Ax0:0>1", "Qx0:1 Ly3 F"}, "race"},
    {"no fence on the reader's side", true, 1, {"Sy3 F Ax0:0>1", "Qx0:1 Ly3"}, "race"},
    {"what is read through a volatile pointer cannot be old", true, 1, {"Sy3=9 F Ax0:0>1", "Qx0:1 Uy3=9"}, ""},
    {"a fence of the group across groups", true, 1, {"Sy3 Fw Ax0:0>1", "Qx0:1 F Ly3"}, "race"},
    {"a fence of the group inside of it", true, 2, {"Sy3 Fw Ax0:0>1", "Qx0:1 Fw Ly3"}, ""},
    {"a fence for the other memory", false, 1, {"Sy3 Fl Ax0:0>1", "Qx0:1 F Ly3"}, "race"},
    {"the flag was not set yet when it was read", true, 1, {"Sy3 F Ax0:0>1", "Qx0:0 F Ly3"}, "race"},
    {"order goes on through a third", false, 1, {"Sy3 Rx0:0>1", "Px0:1 Rx1:0>1", "Px1:1 Ly3"}, ""},
    {"the third did not acquire", false, 1, {"Sy3 Rx0:0>1", "Qx0:1 Rx1:0>1", "Px1:1 Ly3"}, "race"},
    {"the third did not release", false, 1, {"Sy3 Rx0:0>1", "Px0:1 Ax1:0>1", "Px1:1 Ly3"}, "race"},
    {"a relaxed change of the flag between the two", false, 1, {"Sy3 Rx0:0>1", "Ax0:1>2", "Px0:2 Ly3"}, ""},
    {"a relaxed store between the two", false, 1, {"Sy3 Rx0:0>1", "Zx0=2", "Px0:2 Ly3"}, "race"},
    {"under a lock", true, 1, {"Ax0:0>1 F Ly3 Sy3=1 F Ax0:1>0", "Qx0:1 Ax0:0>1 F Ly3 Sy3=2 F Ax0:1>0"}, ""},
    {"under a lock that releases nothing", true, 1, {"Ax0:0>1 F Sy3=1 Ax0:1>0", "Ax0:0>1 F Sy3=2 Ax0:1>0"}, "race"},
    {"under two locks", true, 1, {"Ax0:0>1 F Sy3=1 F Ax0:1>0", "Ax1:0>1 F Sy3=2 F Ax1:1>0"}, "race"},
    {"a barrier is no fence for other groups, of CUDA", true, 1, {"Sy3 Blg Ax0:0>1", "Qx0:1 F Ly3"}, "race"},
    {"a barrier for global memory is a fence, of OpenCL", false, 1, {"Sy3 Bg Ax0:0>1", "Qx0:1 Bg Ly3"}, ""},
    {"every item fences before the barrier",
     true,
     2,
     {"Sy0 F Blg Ax0:0>1", "Sy1 F Blg", "Qx0:1 Blg Ly0", "Blg Ly1"},
     ""},
    {"flags of two groups' local memory are two", false, 1, {"Sy3 F Dt0=1", "Pt0:1 F Ly3"}, "race"},
    {"last block done: the counter's turns order",
     true,
     1,
     {"Sy0 F Ax0:0>1", "Sy1 F Ax0:1>2", "Sy2 F Ax0:2>3 F Ly0 Ly1"},
     ""},
    {"the first block does not see the others' work", true, 1, {"Sy0 F Ax0:0>1 F Ly1", "Sy1 F Ax0:1>2"}, "race"},
    {"published by an item of a higher number", true, 1, {"Qx0:1 F Ly3", "Sy3 F Ax0:0>1"}, ""},
    {"not yet published by an item of a higher number", true, 1, {"Qx0:0 F Ly3", "Sy3 F Ax0:0>1"}, "race"},
    {"the last block done has the lowest number",
     true,
     1,
     {"Sy2 F Ax0:2>3 F Ly0 Ly1", "Sy0 F Ax0:0>1", "Sy1 F Ax0:1>2"},
     ""},
    {"a volatile flag after a fence", true, 1, {"Sy3 F Vx1=1", "Ux1=0 Ux1=1 F Ly3"}, ""},
    {"a volatile flag without a fence", true, 1, {"Sy3 Vx1=1", "Ux1=0 Ux1=1 F Ly3"}, "race"},
    {"the group's work is published by one item after a barrier",
     true,
     2,
     {"Sy0 Blg F Ax0:0>1", "Sy1 Blg", "Qx0:1 Blg Ly0", "Blg Ly1"},
     ""},
    {"published before the others have arrived",
     true,
     2,
     {"Sy0 F Ax0:0>1 Blg", "Sy1 Blg", "Qx0:1 Blg Ly0", "Blg Ly1"},
     "race"},
    {"lockstep is luck", true, 2, {"St0 Lt1", "St1 Lt0"}, "race"},
    {"a meeting of the warp", true, 2, {"St0 Y Lt1", "St1 Y Lt0"}, ""},
    {"a meeting of the warp does not order another warp", true, 64,
     [] {
       std::vector<const char*> items(64, "Y");
       items[0] = "St0 Y";
       items[40] = "Y Lt0";
       return items;
     }(),
     "race"},
    {"compare and exchange begins with a guess", true, 1, {"Lx0 Ax0:0>1", "Lx0 Qx0:1 Ax0:1>2"}, ""},
    {"an exchange made of what was read loses what others add", true, 1, {"Lx0=0 Ex0:0>1", "Lx0=1 Ex0:1>2"}, "race"},
    {"the same, where it was lost", true, 1, {"Lx0=0 Ex0:0>1", "Lx0=0 Ex0:1>1", "Lx0=1 Ex0:1>2"}, "race"},
    {"asking whether a mark is needed", true, 1, {"Lx0=0 Ex0:0>7", "Lx0=7 Ex0:7>7"}, ""},
    {"asking whether it is free, and marking it with a number of one's own",
     true,
     1,
     {"Lx0=0 Ex0:0>4", "Lx0=0 Ex0:4>5"},
     ""},
    {"a plain read that no atomic follows is none", true, 1, {"Ax0:0>1", "Lx0 Lx1"}, "race"},
    {"the last block puts the counter back", true, 1, {"F Ax0:0>1", "F Ax0:1>2 Sx0=0"}, ""},
    {"another block puts the counter back", true, 1, {"F Ax0:0>1 Sx0=0", "F Ax0:1>2"}, "race"},
    {"one lane publishes what its warp wrote", true, 2, {"Sy0 Y F Vx1=1", "Sy1 F Y", "Ux1=1 Y Ly0", "Y Ly1"}, ""},
    {"an asynchronous copy with its wait", false, 2, {"Ct0<x0 W Lt1", "Ct1<x1 W Lt0"}, ""},
    {"an asynchronous copy that no one waits for", false, 2, {"Ct0<x0 Bl Lt1", "Ct1<x1 Bl Lt0"}, "race"},
    {"one thread waits for copies of its own, and hands a word on", true, 2, {"W W St0 Bl", "Bl Lt0"}, ""},
    {"threads that wait for copies on either side of a barrier", true, 2, {"W St0 Bl Lt1", "St1 Bl W Lt0"}, ""},
    {"one thread waits, and hands nothing on", true, 2, {"W W Bl", "Bl Lt0"}, "uninitialised-read"},
    {"read before it is written", false, 1, {"Lt0 St0"}, "uninitialised-read"},
    {"written before it is read", false, 1, {"St0 Lt0"}, ""},
    {"an uninitialised buffer", false, 1, {"Lu0"}, "uninitialised-read"},
    {"a first group that finishes last reads what a later one wrote",
     true,
     1,
     {"Su0 F Ax0:1>2 F Lu0 Lu1", "Su1 F Ax0:0>1"},
     ""},
    {"written by no other group", true, 1, {"Su0 F Ax0:1>2 F Lu0 Lu2", "Su1 F Ax0:0>1"}, "uninitialised-read"},
    {"written by the group itself, too late", false, 2, {"Lu0 Bg", "Bg Su0"}, "uninitialised-read"},
    {"local memory starts anew in every group", false, 1, {"St0 Lt0", "Lt0"}, "uninitialised-read"},
    {"past the end", false, 1, {"Lx8"}, "out-of-bounds"},
    {"the last element", false, 1, {"Lx7 Sx7"}, ""},
    {"a null pointer", false, 1, {"N"}, "out-of-bounds"},
    {"a barrier that one misses", false, 2, {"Bl Bl", "Bl"}, "barrier-divergence"},
};

}  // namespace

TEST_CASE("accesses: what is a race, what is ordered, what was never written, what is outside") {
  for (const Program& program : programs) {
    CAPTURE(program.name);
    CHECK(Recorder(program).classes() == program.expected);
  }
}

TEST_CASE("accesses: beyond the limit of what is looked at nothing is a finding, and it is said") {
  const auto program_named = [](const std::string& name) {
    return *std::find_if(programs.begin(), programs.end(), [&](const Program& one) { return one.name == name; });
  };
  CheckLimits limits;
  limits.order_steps = 0;
  for (const char* name :
       {"released and acquired across groups", "order goes on through a third", "the third did not acquire"}) {
    CAPTURE(name);
    const Program program = program_named(name);
    Recorder recorder(program);
    CHECK(recorder.classes(limits) == "");
    CHECK(recorder.unchecked.starts_with("the order that atomics make was not followed to its end for "));
    Recorder whole(program);
    CHECK(whole.classes() == program.expected);
    CHECK(whole.unchecked == "");
  }
  limits = {};
  limits.waiting_reads = 1;
  const Program program = program_named("a first group that finishes last reads what a later one wrote");
  Recorder recorder(program);
  CHECK(recorder.classes(limits) == "");
  CHECK(recorder.unchecked == "");
  // Each group finds what the other left, so that neither comes first in the walk.
  const Program many = {"", true, 1, {"Ax1:0>7 F Ax0:1>2 F Lu1 Lu2 Lu3", "Su1 Su2 Su3 F Ax0:0>1 F Ax1:7>8"}, ""};
  Recorder second(many);
  CHECK(second.classes(limits) == "");
  CHECK(second.unchecked == "whether another group had written what 2 of its accesses read was not found out\n");
}
