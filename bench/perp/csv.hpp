// Comma-separated values (RFC 4180): a header line, then records.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perp::tool {

// One record with its line end; cells that need it are quoted.
std::string csv_line(const std::vector<std::string>& cells);

struct CsvTable {
    std::string path;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> records;  // as many cells as the header
    std::vector<std::size_t> lines;                 // where each record starts, from 1

    // Throws std::runtime_error naming file and column when there is no such column.
    [[nodiscard]] std::size_t column(const std::string& name) const;
};

// Throws std::runtime_error naming the file and the line.
CsvTable read_csv(const std::string& path);
CsvTable parse_csv(const std::string& path, const std::string& text);

}  // namespace perp::tool
