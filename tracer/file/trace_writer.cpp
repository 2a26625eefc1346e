// Writes trace files. Everything goes through one transaction after another, each small; when the process dies, SQLite's
// rollback journal takes the file back to the last of them (see trace_reader.cpp for how a reader does that).

#include "base/error.h"
#include "base/values/clock.h"
#include "tracer/codec/columns/compress.h"
#include "tracer/file/access_rows.h"
#include "tracer/file/checksum.h"
#include "tracer/file/sqlite.h"
#include "tracer/file/trace_file.h"
#include "tracer/file/trace_metadata.h"
#include "tracer/file/trace_schema.h"
#include "tracer/trace/bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_shrunk = 1 << 20;  // bytes: of larger files pages are a small part

fs::path with_suffix(const fs::path& file, const char* suffix) {
  fs::path result = file;
  return result += suffix;
}

void remove_trace(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
  fs::remove(with_suffix(file, "-journal"), ignored);
}

// Where to write, so that an existing file stays until there is a better one.
fs::path place_for(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return file;
  if (fs::is_directory(status))
    throw usage_error("cannot write {}: it is a directory, name a file in it", file.string());
  if (!fs::is_regular_file(status)) throw usage_error("cannot write {}: a trace needs a regular file", file.string());
  return with_suffix(file, ".part");
}

void sync_file(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

struct TraceWriter::Implementation final : TraceStore {
  fs::path target, path;
  Pace pace;
  sqlite::Database database;
  sqlite::Statement insert_block, insert_content, insert_patch, insert_summary, insert_accesses;
  std::size_t sources = 0, sites = 0, access_sites = 0;
  std::int64_t access_rows = 0;  // so far, and their ids: what was taken back leaves no id to another
  bool in_transaction = false, open = false;
  bool together = false;  // what is written belongs into one transaction
  int begun = 0;          // the last launch that began
  std::size_t uncommitted = 0;
  Clock::time_point last_commit = Clock::now();
  std::uint64_t committed_bytes = 0;
  std::vector<std::size_t> words;  // bytes of what an element of each buffer consists of
  TraceWriter* writer = nullptr;

  // Everything that SQLite does runs through here: what it reports becomes a sentence.
  template <typename Function>
  void guarded(const Function& function) {
    try {
      function();
    } catch (const sqlite::Failure& failure) {
      throw usage_error("cannot write {}: {}", path.string(), failure.what());
    }
  }
  // In the transaction; `bytes` count towards its end.
  template <typename Function>
  void write(std::size_t bytes, const Function& function) {
    guarded([&] {
      begin_transaction();
      function();
      uncommitted += bytes;
    });
  }

  Implementation(const fs::path& file, Pace how_often) : target(file), path(place_for(file)), pace(how_often) {
    std::error_code ignored;
    const fs::path folder = fs::absolute(file).parent_path();
    if (!fs::is_directory(folder, ignored))
      throw usage_error("cannot write {}: there is no folder {}", file.string(), folder.string());
    remove_trace(path);
    guarded([&] {
      database = sqlite::Database(path, sqlite::Database::Mode::create);
      open = true;
      // A process that dies leaves the operating system's copy of the file intact, so nothing waits for the disk.
      database.execute("PRAGMA page_size = 4096");
      // So that pages of what was taken back can be given back.
      database.execute("PRAGMA auto_vacuum = INCREMENTAL");
      database.execute("PRAGMA journal_mode = TRUNCATE");
      database.execute("PRAGMA synchronous = OFF");
      begin_transaction();
      database.execute(fmt::format("PRAGMA application_id = {}", schema::application_id));
      database.execute(fmt::format("PRAGMA user_version = {}", schema::version));
      for (const schema::Table& table : schema::tables) database.execute(std::string(table.sql));
      write_metadata(database, TraceInfo());  // so that a run that is killed before it begins leaves a trace, too
      commit();
      insert_block = database.prepare("INSERT INTO blocks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
      insert_content = database.prepare("INSERT INTO first_contents VALUES (NULL, ?, ?, ?, ?, ?)");
      insert_patch = database.prepare("INSERT INTO patches VALUES (NULL, ?, ?, ?, ?, ?)");
      insert_summary = database.prepare("INSERT INTO summaries VALUES (NULL, ?, ?, ?, ?, ?)");
      insert_accesses = database.prepare("INSERT INTO accesses VALUES (?, ?, ?, ?, ?, ?, ?)");
    });
  }

  void begin_transaction() {
    if (!in_transaction) database.execute("BEGIN");
    in_transaction = true;
  }

  void commit() {
    if (in_transaction) database.execute("COMMIT");
    in_transaction = false;
    uncommitted = 0;
    last_commit = Clock::now();
    std::error_code ignored;
    committed_bytes = fs::file_size(path, ignored);
  }

  // With what is known of the launch and the segment in progress, so that a reader sees it.
  void commit_when_due() {
    if (together) return;
    if (uncommitted < pace.bytes && Clock::now() - last_commit < pace.interval) return;
    guarded([&] {
      begin_transaction();
      writer->put_progress();
      commit();
    });
  }

  void put_metadata(const TraceInfo& info) override {
    words.clear();
    for (const BufferInfo& buffer : info.buffers) words.push_back(component_bytes_of(buffer.type));
    write(0, [&] {
      write_metadata(database, info);
      sources = info.sources.size();
      sites = info.sites.size();
      access_sites = info.access_sites.size();
      commit();
    });
  }

  void put_launch(const LaunchInfo& launch) override {
    write(0, [&] {
      write_launch(database, launch);
      write_access_totals(database, launch);
    });
    // A kernel may take the process with it: that it began is in the file then, with what came before it.
    if (launch.number > std::exchange(begun, launch.number) && !together) guarded([&] { commit(); });
  }

  void put_segment(std::size_t id, const Segment& segment) override {
    write(0, [&] { write_segment(database, id, segment); });
  }

  void put_block(const BlockEntry& entry, std::vector<std::byte>&& data) override {
    write(data.size(), [&] {
      insert_block.run(entry.segment, entry.first_step, entry.count, entry.barriers ? 1 : 0, entry.first_item,
                       entry.last_item, entry.written_buffer, entry.first_written, entry.last_written, crc32(data),
                       data);
    });
    commit_when_due();
  }

  void put_content(int buffer, std::uint64_t first_byte, std::span<const std::byte> bytes) override {
    const auto frame = compress(bytes, words[buffer]);
    write(frame.size(), [&] { insert_content.run(buffer, first_byte, bytes.size(), crc32(frame), frame); });
    commit_when_due();
  }

  void put_patch(int launch, const TraceSource::Patch& patch) override {
    const std::vector<std::uint32_t>& elements = patch.elements;
    std::vector<std::uint32_t> steps(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) steps[i] = elements[i] - (i ? elements[i - 1] : 0);
    ByteWriter data;
    data.string(compress(std::as_bytes(std::span(steps)), sizeof(std::uint32_t)));
    data.string(compress(patch.bytes, words[patch.buffer]));
    const auto blob = data.take();
    write(blob.size(), [&] { insert_patch.run(launch, patch.buffer, elements.size(), crc32(blob), blob); });
    commit_when_due();
  }

  void put_summary(std::int64_t segment, int buffer, const std::vector<float>& ranges) override {
    const auto frame = compress(std::as_bytes(std::span(ranges)), sizeof(float));
    write(frame.size(), [&] { insert_summary.run(segment, buffer, ranges.size(), crc32(frame), frame); });
  }

  void put_buffers(std::span<const BufferInfo> more) override {
    write(0, [&] { write_buffers(database, words.size(), more); });
    for (const BufferInfo& buffer : more) words.push_back(component_bytes_of(buffer.type));
  }

  void put_sources(std::span<const SourceText> more) override {
    write(0, [&] { write_sources(database, sources, more); });
    sources += more.size();
  }

  void put_sites(std::span<const Site> more, std::span<const AccessSite> more_access_sites) override {
    write(0, [&] {
      write_sites(database, sites, more);
      write_access_sites(database, access_sites, more_access_sites);
    });
    sites += more.size();
    access_sites += more_access_sites.size();
  }

  void put_accesses(const AccessEntry& entry, std::vector<std::byte>&& data) override {
    write(data.size(), [&] {
      insert_accesses.run(++access_rows, entry.launch, entry.first_item, entry.items, entry.records, crc32(data), data);
    });
    commit_when_due();
  }

  void take_back_accesses(int launch) override {
    write(0, [&] { database.prepare("DELETE FROM accesses WHERE launch = ?").run(launch); });
  }

  // All of what `puts` puts is there after a crash, or nothing of it.
  template <typename Puts>
  void put_together(const Puts& puts) {
    struct Together {
      explicit Together(bool& flag) : flag_(flag) { flag_ = true; }
      ~Together() { flag_ = false; }
      Together(const Together&) = delete;
      Together& operator=(const Together&) = delete;

     private:
      bool& flag_;
    };
    const Together until_the_end(together);  // or until `puts` throws
    puts();
  }

  void end_statements() {
    for (sqlite::Statement* statement :
         {&insert_block, &insert_content, &insert_patch, &insert_summary, &insert_accesses})
      *statement = sqlite::Statement();
  }

  void close_database() {
    end_statements();
    database.close();
  }

  // A table takes one page at least, and small files are mostly such pages. Where that does not work, the file is as good as it is.
  void shrink() {
    end_statements();
    std::error_code ignored;
    try {
      if (committed_bytes > max_shrunk) {
        database.execute("PRAGMA incremental_vacuum");
        committed_bytes = fs::file_size(path, ignored);
      }
      if (committed_bytes > max_shrunk) return;
      database.execute("PRAGMA auto_vacuum = NONE");
      database.execute("PRAGMA temp_store = MEMORY");
      database.execute("PRAGMA page_size = 512");
      database.execute("VACUUM");
      committed_bytes = fs::file_size(path, ignored);
    } catch (const sqlite::Failure&) {}
  }

  void close(bool complete) {
    writer->close_segment();
    begin_transaction();
    if (complete) {
      write_meta(database, "complete", "1");
      write_meta(database, "checksum", std::to_string(metadata_checksum(database)));
    } else {
      writer->put_progress();
    }
    commit();
    if (complete) shrink();
    close_database();
    std::error_code error;
    fs::remove(with_suffix(path, "-journal"), error);
    sync_file(path);
    if (complete && path != target) {
      // Of the file that is replaced, where its writer was killed: it would be played back into this one.
      fs::remove(with_suffix(target, "-journal"), error);
      fs::rename(path, target, error);
      if (error) throw usage_error("cannot replace {}: {}", target.string(), error.message());
      path = target;
    }
    open = false;
  }
};

TraceWriter::TraceWriter(const fs::path& file, Pace pace) : TraceWriter(std::make_unique<Implementation>(file, pace)) {}

TraceWriter::TraceWriter(std::unique_ptr<Implementation> self) : TraceBuilder(*self), self_(std::move(self)) {
  self_->writer = this;
}

TraceWriter::~TraceWriter() {
  if (!self_->open) return;
  self_->close_database();
  remove_trace(self_->path);
}

void TraceWriter::hold_accesses(const LaunchInfo& launch) {
  self_->put_together([&] { put_accesses_until_end(launch); });
  self_->guarded([&] { self_->commit(); });
}

void TraceWriter::end_launch(const LaunchInfo& launch, const DeviceBuffer& device_buffer) {
  self_->put_together([&] { TraceBuilder::end_launch(launch, device_buffer); });
  self_->commit_when_due();
}

void TraceWriter::finish() {
  self_->guarded([&] { self_->close(true); });
}

void TraceWriter::interrupt() {
  self_->guarded([&] { self_->close(false); });
}

std::uint64_t TraceWriter::bytes_written() const { return self_->committed_bytes; }
const fs::path& TraceWriter::path() const { return self_->path; }

}  // namespace twiddle
