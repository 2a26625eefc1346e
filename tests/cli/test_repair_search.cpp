// A search for a repair in processes of its own, which end in the midst of it: scripts in their place.
#include "base/temporary_folder.h"
#include "cli/repair_search.h"

#include <doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace twiddle;
using namespace twiddle::cli;

namespace {

// A shell has the mark, with what earlier processes said, as $0.
Repaired searched_by_script(const std::string& script) {
  return searched_by({"/bin/sh", "-c", script}, {}, false, [](std::uint64_t) { return true; });
}

const std::string nothing = R"({"repairs":[],"unsearched":[]})";

}  // namespace

TEST_CASE("a search whose processes end says that it ended early, and why") {
  struct Ending {
    std::string script, why;
  };
  const std::vector<Ending> endings = {
      {"echo first 0; kill -SEGV $$", "changed kernels ended the processes that ran them"},
      {"echo compile source 0 400; exit 3", "changed kernels ended the processes that ran them"},
      {"kill -SEGV $$", "its process ended before the first change, by signal 11"},
      {"exit 1", "its process ended before the first change, with status 1"},
      {"case $0 in *first*) exit 2;; *) echo first 0;; esac", "its process ended before another change, with status 2"},
  };
  for (const Ending& one : endings) {
    CAPTURE(one.script);
    const Repaired found = searched_by_script(one.script);
    CHECK(found.repairs.empty());
    REQUIRE(found.unsearched.size() == 1);
    CHECK(found.unsearched[0] == "the search for a repair ended early: " + one.why);
  }
}

TEST_CASE("what a search had found when its process ended is said, and not that it ended") {
  Repaired known;
  known.repairs.emplace_back();
  known.repairs[0].line = 7;
  const Repaired found = searched_by_script("echo 'so-far " + to_json(known) + "'; echo first 0; kill -SEGV $$");
  REQUIRE(found.repairs.size() == 1);
  CHECK(found.repairs[0].line == 7);
  CHECK(found.unsearched.empty());
}

TEST_CASE("a process that ends for a build that takes too long is followed by one that knows of which changes") {
  const Repaired found = searched_by_script("case $0 in *'compile source 0 400,tried 0,spent '*) echo 'found " +
                                            nothing + "';; *) echo compile source 0 400; kill -PROF $$;; esac");
  CHECK(found.repairs.empty());
  CHECK(found.unsearched.empty());
}

TEST_CASE("the next process of a search knows what the one before it tried, found, and how long that took") {
  const Repaired found =
      searched_by_script("case $0 in *'right source 4'*'source 5,tried 2,spent '*) echo 'found " + nothing +
                         "';; *) echo source 4; echo right source 4; echo source 5; exit 3;; esac");
  CHECK(found.repairs.empty());
  CHECK(found.unsearched.empty());
}

TEST_CASE("a search that is given up says nothing") {
  const Repaired found = searched_by({"/bin/sh", "-c", "sleep 60"}, {}, false, [](std::uint64_t) { return false; });
  CHECK(found.repairs.empty());
  CHECK(found.unsearched.empty());
}

TEST_CASE("what a search's process leaves in its folder goes with the search") {
  const TemporaryFolder own;
  const std::filesystem::path note = own.path() / "note";
  searched_by_script("folder=${1#--search-repair-folder=}; echo left > $folder/left; echo $folder > " + note.string() +
                     "; kill -KILL $$");
  std::string folder;
  std::ifstream noted(note);
  std::getline(noted, folder);
  REQUIRE(!folder.empty());
  CHECK(!std::filesystem::exists(folder));
}
