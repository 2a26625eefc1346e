// Writes trace files. Everything goes through one transaction after another, each small; when the process dies, SQLite's
// rollback journal takes the file back to the last of them (see trace_reader.cpp for how a reader does that).

#include "base/error.h"
#include "tracer/codec/compress.h"
#include "tracer/file/access_rows.h"
#include "tracer/file/checksum.h"
#include "tracer/file/sqlite.h"
#include "tracer/file/trace_file.h"
#include "tracer/file/trace_metadata.h"
#include "tracer/file/trace_schema.h"
#include "tracer/store/trace_builder.h"
#include "tracer/trace/bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

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
  bool in_transaction = false, open = false;
  std::size_t uncommitted = 0;
  Clock::time_point last_commit = Clock::now();
  std::uint64_t committed_bytes = 0;
  std::vector<std::size_t> words;  // bytes of what an element of each buffer consists of
  TraceBuilder builder{*this};

  Implementation(const fs::path& file, Pace how_often);
  void put_metadata(const TraceInfo& info) override;
  void put_launch(const LaunchInfo& launch) override;
  void put_segment(std::size_t id, const Segment& segment) override;
  void put_block(const BlockEntry& entry, std::vector<std::byte>&& data) override;
  void put_content(int buffer, std::uint64_t first_byte, std::span<const std::byte> bytes) override;
  void put_patch(int launch, const TraceSource::Patch& patch) override;
  void put_summary(std::int64_t segment, int buffer, const std::vector<float>& ranges) override;
  void put_buffers(std::span<const BufferInfo> more) override;
  void put_sources(std::span<const SourceText> more) override;
  void put_sites(std::span<const Site> more, std::span<const AccessSite> more_access_sites) override;
  void put_accesses(const AccessEntry& entry, std::vector<std::byte>&& data) override;
  void begin_transaction();
  void commit();
  void commit_when_due();
  void close_database();
  void close(bool complete);

  // Every public function runs through here: what SQLite reports becomes a sentence.
  template <typename Function>
  auto guarded(const Function& function) {
    try {
      return function();
    } catch (const sqlite::Failure& failure) {
      throw usage_error("cannot write {}: {}", path.string(), failure.what());
    }
  }
};

TraceWriter::Implementation::Implementation(const fs::path& file, Pace how_often)
    : target(file), path(place_for(file)), pace(how_often) {
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
    database.execute("PRAGMA journal_mode = TRUNCATE");
    database.execute("PRAGMA synchronous = OFF");
    begin_transaction();
    database.execute(fmt::format("PRAGMA application_id = {}", schema::application_id));
    database.execute(fmt::format("PRAGMA user_version = {}", schema::version));
    for (const schema::Table& table : schema::tables) database.execute(std::string(table.sql));
    commit();
    insert_block = database.prepare("INSERT INTO blocks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert_content = database.prepare("INSERT INTO first_contents VALUES (NULL, ?, ?, ?, ?, ?)");
    insert_patch = database.prepare("INSERT INTO patches VALUES (NULL, ?, ?, ?, ?, ?)");
    insert_summary = database.prepare("INSERT INTO summaries VALUES (NULL, ?, ?, ?, ?, ?)");
    insert_accesses = database.prepare("INSERT INTO accesses VALUES (NULL, ?, ?, ?, ?, ?, ?)");
  });
}

void TraceWriter::Implementation::begin_transaction() {
  if (!in_transaction) database.execute("BEGIN");
  in_transaction = true;
}

void TraceWriter::Implementation::commit() {
  if (in_transaction) database.execute("COMMIT");
  in_transaction = false;
  uncommitted = 0;
  last_commit = Clock::now();
  std::error_code ignored;
  committed_bytes = fs::file_size(path, ignored);
}

// With what is known of the launch and the segment in progress, so that a reader sees it.
void TraceWriter::Implementation::commit_when_due() {
  if (uncommitted < pace.bytes && Clock::now() - last_commit < pace.interval) return;
  begin_transaction();
  builder.put_progress();
  commit();
}

void TraceWriter::Implementation::put_metadata(const TraceInfo& info) {
  words.clear();
  for (const BufferInfo& buffer : info.buffers) words.push_back(traits(buffer.type).wide ? 8 : 4);
  begin_transaction();
  write_metadata(database, info);
  sources = info.sources.size();
  sites = info.sites.size();
  access_sites = info.access_sites.size();
  commit();
}

void TraceWriter::Implementation::put_launch(const LaunchInfo& launch) {
  begin_transaction();
  write_launch(database, launch);
  write_access_totals(database, launch);
}

void TraceWriter::Implementation::put_segment(std::size_t id, const Segment& segment) {
  begin_transaction();
  write_segment(database, id, segment);
}

void TraceWriter::Implementation::put_block(const BlockEntry& entry, std::vector<std::byte>&& data) {
  begin_transaction();
  insert_block.bind(0, entry.segment).bind(1, entry.first_step).bind(2, entry.count).bind(3, entry.barriers ? 1 : 0);
  insert_block.bind(4, entry.first_item).bind(5, entry.last_item);
  insert_block.bind(6, entry.written_buffer).bind(7, entry.first_written).bind(8, entry.last_written);
  insert_block.bind(9, crc32(data)).bind(10, data).run();
  uncommitted += data.size();
  commit_when_due();
}

void TraceWriter::Implementation::put_content(int buffer, std::uint64_t first_byte, std::span<const std::byte> bytes) {
  begin_transaction();
  const auto frame = compress(bytes, words[buffer]);
  insert_content.bind(0, buffer).bind(1, first_byte).bind(2, bytes.size()).bind(3, crc32(frame)).bind(4, frame).run();
  uncommitted += frame.size();
  commit_when_due();
}

void TraceWriter::Implementation::put_patch(int launch, const TraceSource::Patch& patch) {
  begin_transaction();
  const std::vector<std::uint32_t>& elements = patch.elements;
  std::vector<std::uint32_t> steps(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) steps[i] = elements[i] - (i ? elements[i - 1] : 0);
  ByteWriter data;
  data.string(compress(std::as_bytes(std::span(steps)), sizeof(std::uint32_t)));
  data.string(compress(patch.bytes, words[patch.buffer]));
  const auto blob = data.take();
  insert_patch.bind(0, launch).bind(1, patch.buffer).bind(2, elements.size()).bind(3, crc32(blob)).bind(4, blob).run();
  uncommitted += blob.size();
  commit_when_due();
}

void TraceWriter::Implementation::put_summary(std::int64_t segment, int buffer, const std::vector<float>& ranges) {
  begin_transaction();
  const auto frame = compress(std::as_bytes(std::span(ranges)), sizeof(float));
  insert_summary.bind(0, segment).bind(1, buffer).bind(2, ranges.size()).bind(3, crc32(frame)).bind(4, frame).run();
  uncommitted += frame.size();
}

void TraceWriter::Implementation::put_buffers(std::span<const BufferInfo> more) {
  begin_transaction();
  write_buffers(database, words.size(), more);
  for (const BufferInfo& buffer : more) words.push_back(traits(buffer.type).wide ? 8 : 4);
}

void TraceWriter::Implementation::put_sources(std::span<const SourceText> more) {
  begin_transaction();
  write_sources(database, sources, more);
  sources += more.size();
}

void TraceWriter::Implementation::put_sites(std::span<const Site> more, std::span<const AccessSite> more_access_sites) {
  begin_transaction();
  write_sites(database, sites, more);
  write_access_sites(database, access_sites, more_access_sites);
  sites += more.size();
  access_sites += more_access_sites.size();
}

void TraceWriter::Implementation::put_accesses(const AccessEntry& entry, std::vector<std::byte>&& data) {
  begin_transaction();
  insert_accesses.bind(0, entry.launch).bind(1, entry.first_item).bind(2, entry.items).bind(3, entry.records);
  insert_accesses.bind(4, crc32(data)).bind(5, data).run();
  uncommitted += data.size();
  commit_when_due();
}

void TraceWriter::Implementation::close_database() {
  for (sqlite::Statement* statement :
       {&insert_block, &insert_content, &insert_patch, &insert_summary, &insert_accesses})
    *statement = sqlite::Statement();
  database.close();
}

void TraceWriter::Implementation::close(bool complete) {
  builder.close_segment();
  begin_transaction();
  if (complete) {
    write_meta(database, "complete", "1");
    write_meta(database, "checksum", std::to_string(metadata_checksum(database)));
  } else {
    builder.put_progress();
  }
  commit();
  close_database();
  std::error_code error;
  fs::remove(with_suffix(path, "-journal"), error);
  sync_file(path);
  if (complete && path != target) {
    fs::rename(path, target, error);
    if (error) throw usage_error("cannot replace {}: {}", target.string(), error.message());
    path = target;
  }
  open = false;
}

TraceWriter::TraceWriter(const fs::path& file, Pace pace) : self_(std::make_unique<Implementation>(file, pace)) {}

TraceWriter::~TraceWriter() {
  if (!self_->open) return;
  self_->close_database();
  remove_trace(self_->path);
}

void TraceWriter::begin(const TraceInfo& info) {
  self_->guarded([&] { self_->builder.begin(info); });
}

void TraceWriter::first_content(int buffer, std::span<const std::byte> bytes) {
  self_->guarded([&] { self_->builder.first_content(buffer, bytes); });
}

void TraceWriter::begin_launch(const LaunchInfo& launch) {
  self_->guarded([&] { self_->builder.begin_launch(launch); });
}

void TraceWriter::add_buffers(std::span<const BufferInfo> buffers) {
  self_->guarded([&] { self_->builder.add_buffers(buffers); });
}

void TraceWriter::add_sources(std::span<const SourceText> sources) {
  self_->guarded([&] { self_->builder.add_sources(sources); });
}

void TraceWriter::add_sites(std::span<const Site> sites, std::span<const AccessSite> access_sites) {
  self_->guarded([&] { self_->builder.add_sites(sites, access_sites); });
}

void TraceWriter::accesses(const AccessLog& log) {
  self_->guarded([&] { self_->builder.accesses(log); });
}

void TraceWriter::append(int epoch, int stage, OperationBlock&& block) {
  self_->guarded([&] { self_->builder.append(epoch, stage, std::move(block)); });
}

void TraceWriter::end_launch(const LaunchInfo& launch, const DeviceBuffer& device_buffer) {
  self_->guarded([&] {
    self_->builder.end_launch(launch, device_buffer);
    self_->commit_when_due();
  });
}

std::vector<std::byte> TraceWriter::replayed(int buffer) const { return self_->builder.replayed(buffer); }

void TraceWriter::finish() {
  self_->guarded([&] { self_->close(true); });
}

void TraceWriter::interrupt() {
  self_->guarded([&] { self_->close(false); });
}

std::uint64_t TraceWriter::bytes_written() const { return self_->committed_bytes; }
const fs::path& TraceWriter::path() const { return self_->path; }

}  // namespace twiddle
