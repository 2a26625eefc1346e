// Runs a libFuzzer-style target with any compiler: replays a corpus, then mutates it with a fixed seed for a while, so
// that a run can be repeated. An input that crashes the target is left as crash-TARGET in the current folder.
//
//   twiddle_fuzz_NAME [--seconds=S] [--runs=N] [--seed=K] FILE|FOLDER …

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

// These three names are libFuzzer's and the sanitizers'.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) __attribute__((weak));
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

constexpr std::size_t max_input = 1 << 20;

Bytes current;           // what the target is looking at
std::string crash_file;  // where it goes when the target falls

void keep_current() {
  if (std::FILE* file = std::fopen(crash_file.c_str(), "wb")) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
    std::fprintf(stderr, "fuzz: the input is in %s\n", crash_file.c_str());
  }
}

void fell(int signal) {
  keep_current();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

Bytes read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// One to eight small changes: flipped bits, special numbers, cut, doubled, moved and spliced ranges.
Bytes mutate(const std::vector<Bytes>& corpus, std::mt19937_64& random) {
  const auto below = [&](std::size_t limit) { return limit == 0 ? std::size_t{0} : random() % limit; };
  Bytes bytes = corpus[below(corpus.size())];
  for (std::size_t changes = 1 + below(8); changes > 0; --changes) {
    const std::size_t at = below(bytes.size());
    const std::size_t length = std::min(bytes.size() - at, 1 + below(64));
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (bytes.empty() ? 4 : below(7)) {
      case 0: *begin ^= static_cast<std::uint8_t>(1u << below(8)); break;
      case 1: *begin = static_cast<std::uint8_t>(random()); break;
      case 2: {  // a number that readers trip over, little-endian
        static constexpr std::uint64_t special[] = {0,          1,          0x7f,       0x80,       0xff,
                                                    0xffff,     0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
                                                    UINT64_MAX, INT64_MAX,  1ull << 40, 1ull << 63, 0x7ff8000000000000};
        const std::uint64_t number = special[below(std::size(special))];
        const std::size_t width = std::min<std::size_t>(bytes.size() - at, std::size_t{1} << below(4));
        for (std::size_t i = 0; i < width; ++i) bytes[at + i] = static_cast<std::uint8_t>(number >> (8 * i));
        break;
      }
      case 3: bytes.erase(begin, begin + static_cast<std::ptrdiff_t>(length)); break;
      case 4: {
        Bytes fresh(1 + below(16));
        for (std::uint8_t& byte : fresh) byte = static_cast<std::uint8_t>(random());
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size() + 1)), fresh.begin(), fresh.end());
        break;
      }
      case 5: bytes.resize(at); break;
      case 6: {  // the tail of another input
        const Bytes& other = corpus[below(corpus.size())];
        bytes.resize(at);
        bytes.insert(bytes.end(), other.begin() + static_cast<std::ptrdiff_t>(below(other.size() + 1)), other.end());
        break;
      }
    }
  }
  if (bytes.size() > max_input) bytes.resize(max_input);
  return bytes;
}

}  // namespace

int main(int count, char** arguments) {
  double seconds = 10;
  std::uint64_t runs = UINT64_MAX, seed = 1;
  std::vector<Bytes> corpus;
  crash_file = "crash-" + fs::path(arguments[0]).filename().string();
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&count, &arguments);

  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    const auto number = [&](std::string_view key) { return std::string(argument.substr(key.size())); };
    if (argument.starts_with("--seconds=")) {
      seconds = std::stod(number("--seconds="));
    } else if (argument.starts_with("--runs=")) {
      runs = std::stoull(number("--runs="));
    } else if (argument.starts_with("--seed=")) {
      seed = std::stoull(number("--seed="));
    } else if (fs::is_directory(argument)) {
      std::vector<fs::path> files;
      for (const auto& entry : fs::recursive_directory_iterator(argument))
        if (entry.is_regular_file()) files.push_back(entry.path());
      std::sort(files.begin(), files.end());
      for (const fs::path& file : files) corpus.push_back(read_file(file));
    } else if (fs::exists(argument)) {
      corpus.push_back(read_file(argument));
    }
  }

  // Sanitizers catch everything but abort(), with which an assertion ends the program.
  std::signal(SIGABRT, fell);
  if (__sanitizer_set_death_callback) {
    __sanitizer_set_death_callback(keep_current);
  } else {
    for (const int signal : {SIGSEGV, SIGFPE, SIGBUS, SIGILL}) std::signal(signal, fell);
  }

  // First what is known, then what follows from it.
  const std::size_t given = corpus.size();
  if (corpus.empty()) corpus.emplace_back();
  for (const Bytes& input : corpus) {
    current = input;
    LLVMFuzzerTestOneInput(current.data(), current.size());
  }
  std::mt19937_64 random(seed);
  const auto begun = std::chrono::steady_clock::now();
  std::uint64_t done = 0;
  while (done < runs && std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() < seconds) {
    current = mutate(corpus, random);
    LLVMFuzzerTestOneInput(current.data(), current.size());
    ++done;
  }
  std::printf("fuzz: %zu inputs of the corpus and %llu made from them, seed %llu: none brought the reader down\n",
              given, static_cast<unsigned long long>(done), static_cast<unsigned long long>(seed));
}
