// The linear system of Lemke's method, column by column:
//
//   M v - J' z = 0,   J v + C z - w + d t = -r
//
// for the rows of a mixed form, some of them stated twice: a free row becomes z = z+ - z- with
// z+, z- >= 0 and w+ = w, w- = -w, which needs no basis with z in it to start from. Free rows may
// also exchange their equations w = 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/mixed_form.hpp"
#include "sparse/sparse_columns.hpp"

namespace perp {

struct LemkeColumn {  // owned; rows ascend
    std::vector<std::int64_t> index;
    std::vector<double> value;
    [[nodiscard]] SparseColumn view() const { return {index, value}; }
    void clear();
    void add(std::int64_t row, double x);
};

struct LemkeRows {
    // Rows as in the form. Grows its memory to the form's size with every row stated twice.
    void reset(const MixedForm& form);
    // Puts the equations in their places (`equation`, set since the reset) and adds a twin for each
    // of these free rows, which ascend; their equations are multiplied by `factor`, 1 or -1. Once
    // after a reset.
    void split(std::span<const std::int64_t> free_rows, double factor);

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(owner.size()); }
    [[nodiscard]] std::int64_t size() const { return n + count(); }  // of the linear system
    [[nodiscard]] bool is_free(std::int64_t k) const;
    [[nodiscard]] bool is_fixed(std::int64_t k) const { return lo[k] == hi[k]; }
    [[nodiscard]] bool is_boxed(std::int64_t k) const;

    void velocity(std::int64_t j, LemkeColumn& column) const;  // of v_j
    void impulse(std::int64_t k, LemkeColumn& column) const;   // of z_k
    void slack(std::int64_t k, LemkeColumn& column) const;     // of w_k
    void covering(LemkeColumn& column) const;                  // of t
    // -[0; r] minus the columns of z times z.
    void right_side(std::span<const double> z, std::span<double> b);
    // Of the form's rows: z = z+ - z-.
    void merge(std::span<const double> z, std::span<double> merged) const;

    const MixedForm* form = nullptr;
    std::int64_t n = 0;
    std::vector<std::int64_t> owner;            // row of the form
    std::vector<double> sign;                   // 1; -1 for z-
    std::vector<double> factor;                 // of the row's equation, 1 or -1
    std::vector<std::int64_t> equation, place;  // the form's row w_k comes from; the inverse of it
    std::vector<std::int64_t> twin;             // per row of the form; -1: none
    std::vector<double> lo, hi;
    std::vector<double> cover;  // d
    Csr Ct;                     // C'
    std::vector<double> merged_z, product;

private:
    void add_row(std::int64_t row, double x, LemkeColumn& column, bool twins) const;
    void sort(LemkeColumn& column) const;
    bool permuted_ = false;
};

}  // namespace perp
