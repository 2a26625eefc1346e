// What a program has NVRTC compile, before its driver is loaded and after: no GPU is needed for that.
#include "recorded_program.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

using namespace twiddle;

#if defined(__x86_64__)

TEST_CASE("texts, headers and options of a program that loads NVRTC by itself are kept, and it sees nothing of that") {
  const TestFolder folder;
  const std::string library = (program_file().parent_path() / "libtwiddle-cuda.so").string();
  if (!std::filesystem::exists(library)) {
    MESSAGE("this build has no library for CUDA programs");
    return;
  }
  const std::string command = program_named("compiler") + " " + TWIDDLE_FAKE_NVRTC;
  const Ran alone = run_plain(folder, command);
  CHECK(alone.code == 0);
  if (content_of(program_named("compiler")).find("__asan_init") != std::string::npos ||
      content_of(program_named("compiler")).find("__tsan_init") != std::string::npos)
    return;  // a sanitizer wants to be the first library
  CHECK(alone.out == "0\n6\nalone\n0\nno more\n");
  const std::string recording = folder.file("recording");
  const Ran watched = run_plain(
      folder, "CUDA_HOME=/nowhere TWIDDLE_RECORD_DIR=" + recording + " LD_PRELOAD=" + library + " " + command);
  CHECK(watched.code == 0);
  CHECK(watched.out == "0\n6\nwatched\n0\nno more\n");

  const std::string events = content_of(std::filesystem::path(recording) / "events.jsonl");
  CHECK(contains(events, "{\"program\":1,\"file\":\"program-1\"}\n"));
  CHECK(contains(events, "{\"program\":2,\"file\":\"program-2\"}\n"));
  CHECK(!contains(events, "{\"program\":3"));
  const auto program = [&](int number) {
    return nlohmann::json::parse(
        content_of(std::filesystem::path(recording) / ("program-" + std::to_string(number) + ".json")));
  };
  const nlohmann::json first = program(1), second = program(2);
  CHECK(first["name"] == "first.cu");
  CHECK(first["text"] == "first \"text\"\n");
  CHECK(first["headers"].dump() == "[[\"h.h\",\"int h;\"]]");
  CHECK(first["options"] == nlohmann::json{"-DN=8", "--std=c++17"});  // as the program gave them
  CHECK(second["name"] == "");
  CHECK(second["text"] == "second\n");
  // Lines are asked for besides.
  CHECK(content_of(std::filesystem::path(recording) / "program-2.image") == "second\n-DN=8 --std=c++17 -lineinfo ");

  // Where nothing is recorded, everything is as it would be.
  const Ran idle = run_plain(folder, "LD_PRELOAD=" + library + " " + command);
  CHECK(idle.out == "0\n6\nwatched\n0\nno more\n");
}

#endif
