// The symbolic side of the supernodal factorization: its pattern holds that of L.
#include "sparse/supernodes.hpp"

#include <numeric>

#include "support.hpp"

namespace perp::test {
namespace {

// Bodies of six velocities in a row or at random, three rows per contact.
Dense contacts(std::int64_t bodies, std::int64_t count, bool chain, Random& random) {
    const std::int64_t n = 6 * bodies;
    Dense k(n + 3 * count, n + 3 * count);
    for (std::int64_t i = 0; i < k.rows; ++i) k(i, i) = 1.0;
    for (std::int64_t c = 0; c < count; ++c) {
        const std::int64_t one = chain ? c % bodies : random.below(bodies);
        const std::int64_t other = chain ? (one + 1) % bodies : random.below(bodies);
        for (std::int64_t r = n + 3 * c; r < n + 3 * c + 3; ++r)
            for (const std::int64_t b : {one, other})
                for (std::int64_t d = 0; d < 6; ++d)
                    if (random.below(4) != 0) k(r, 6 * b + d) = k(6 * b + d, r) = 1.0;
    }
    return k;
}

// Of P K P': eliminates symbolically and asks that every entry has a place.
void expect_holds(const Dense& k, std::int64_t positive) {
    const Supernodes s = find_supernodes(csr(k), positive);
    const std::int64_t n = k.rows;
    std::vector<std::int64_t> sorted = s.permutation;
    std::sort(sorted.begin(), sorted.end());
    for (std::int64_t i = 0; i < n; ++i) {
        ASSERT_EQ(sorted[i], i);
        ASSERT_EQ(s.inverse[s.permutation[i]], i);
    }
    Dense fill(n, n);
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j)
            fill(i, j) = k(s.permutation[i], s.permutation[j]) != 0.0 ? 1.0 : 0.0;
    for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = j + 1; i < n; ++i)
            for (std::int64_t l = j + 1; l < n && fill(i, j) != 0.0; ++l)
                if (fill(l, j) != 0.0) fill(i, l) = 1.0;
    ASSERT_EQ(s.first.front(), 0);
    ASSERT_EQ(s.first.back(), n);
    for (std::int64_t t = 0; t < s.count(); ++t) {
        std::vector<std::uint8_t> has(n, 0);
        for (std::int64_t q = s.row_start[t]; q < s.row_start[t + 1]; ++q) {
            ASSERT_GE(s.row[q], s.first[t + 1]);
            has[s.row[q]] = 1;
        }
        for (std::int64_t j = s.first[t]; j < s.first[t + 1]; ++j) {
            ASSERT_EQ(s.of[j], t);
            for (std::int64_t i = j + 1; i < n; ++i) {
                if (fill(i, j) == 0.0) continue;
                const bool own = i < s.first[t + 1];
                ASSERT_TRUE(own ? s.twins[t] == 0 : has[i] != 0) << t << ": " << i << ", " << j;
            }
        }
        if (s.height(t) == 0) {
            ASSERT_EQ(s.parent[t], -1);
            continue;
        }
        // What is left of a block has its place in the parent's.
        const std::int64_t p = s.parent[t];
        ASSERT_EQ(p, s.of[s.row[s.row_start[t]]]);
        for (std::int64_t q = s.row_start[t]; q < s.row_start[t + 1]; ++q)
            ASSERT_TRUE(s.row[q] < s.first[p + 1] ||
                        std::binary_search(s.row.begin() + s.row_start[p],
                                           s.row.begin() + s.row_start[p + 1], s.row[q]));
    }
}

TEST(Supernodes, HoldThePatternOfL) {
    Random random(1);
    for (int round = 0; round < 10; ++round) {
        expect_holds(contacts(8, 20, true, random), 48);
        expect_holds(contacts(8, 20, false, random), 48);
        Dense any(40, 40);
        for (std::int64_t i = 0; i < any.rows; ++i) any(i, i) = 1.0;
        for (int e = 0; e < 20 * round; ++e) {
            const std::int64_t i = random.below(40), j = random.below(40);
            any(i, j) = any(j, i) = 1.0;
        }
        expect_holds(any, random.below(41));
    }
    expect_holds(Dense(), 0);
}

TEST(Supernodes, KeepRowsBetweenTheSameBodiesTogether) {
    // 20 contacts, their rows full, between the same two bodies: one block of 60 rows of 12
    // entries.
    Random random(2);
    Dense k(12 + 60, 12 + 60);
    for (std::int64_t i = 0; i < k.rows; ++i) k(i, i) = 1.0;
    for (std::int64_t r = 12; r < k.rows; ++r)
        for (std::int64_t d = 0; d < 12; ++d) k(r, d) = k(d, r) = 1.0;
    const Supernodes s = find_supernodes(csr(k), 12);
    EXPECT_EQ(s.count(), 2);
    EXPECT_EQ(s.width(0), 60);
    EXPECT_EQ(s.height(0), 12);
    EXPECT_EQ(s.twins[0], 1);
}

}  // namespace
}  // namespace perp::test
