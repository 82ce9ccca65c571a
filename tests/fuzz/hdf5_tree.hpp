// An HDF5 file as a list of what is in it, to be changed by the bytes of a fuzzer before it is
// made. So every file is one that HDF5 wrote itself, and only its meaning is damaged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "input.hpp"
#include "perp/perp.h"

namespace perp_fuzz {

enum class Kind : std::uint8_t { group, dataset, attribute };
enum class Type : std::uint8_t { real, integer, text };

struct Item {
    Kind kind = Kind::group;
    std::string path;  // of an attribute: the object's, ':' and the name
    Type type = Type::real;
    std::vector<std::uint64_t> shape;  // empty: a scalar
    std::vector<double> reals;
    std::vector<std::int64_t> integers;
    std::string text;
    int storage = 0;  // another width, byte order, chunks, or what else `write_tree` knows
};

class Tree {
public:
    void group(const std::string& path);
    void reals(const std::string& path, std::vector<double> values);
    void integers(const std::string& path, std::vector<std::int64_t> values);
    void text(const std::string& path, const std::string& value);
    void attribute(const std::string& path, const std::string& name, std::int64_t value);

    // A few changes: what is missing, renamed, of another shape or type, of another value.
    void damage(Input& in);
    void write(const std::string& file) const;

private:
    void change(Input& in, Item& item);

    std::vector<Item> items_;
};

// Reads the file under one law, and uses what comes of it: solves, writes and reads again. No
// handle of HDF5 may stay open.
void read_and_use(Input& in, const std::string& file);

// One byte-damaged copy of a file that perp wrote from a problem of the given kind: 0, 1 assembled
// (cones, boxes), 2 general BLCP, 3 Delassus form. False: the problem was refused.
bool write_damaged(Input& in, int kind, std::int32_t layout, const std::string& file);

}  // namespace perp_fuzz
