// Commands of perp.Problem: making problems, changing them, and asking about them.
#include <algorithm>
#include <cstring>

#include "mex_commands.hpp"

namespace perp_mex {

namespace {

struct RowVector {
    const char* name;
    const double* perp_rows::*field;
    std::int64_t Sizes::*size;
};

constexpr RowVector row_vectors[] = {
    {"f", &perp_rows::f, &Sizes::velocities},
    {"u", &perp_rows::u, &Sizes::bilateral},
    {"b_N", &perp_rows::b_N, &Sizes::contacts},
    {"b_T", &perp_rows::b_T, &Sizes::sliding},
    {"b_S", &perp_rows::b_S, &Sizes::angular},
    {"compliance_A", &perp_rows::compliance_A, &Sizes::bilateral},
    {"compliance_N", &perp_rows::compliance_N, &Sizes::contacts},
    {"compliance_T", &perp_rows::compliance_T, &Sizes::sliding},
    {"compliance_S", &perp_rows::compliance_S, &Sizes::angular},
    {"mu", &perp_rows::mu, &Sizes::contacts},
    {"rho", &perp_rows::rho, &Sizes::contacts},
    {"sigma", &perp_rows::sigma, &Sizes::contacts},
    {"lo_T", &perp_rows::lo_T, &Sizes::sliding},
    {"hi_T", &perp_rows::hi_T, &Sizes::sliding},
    {"b_B", &perp_rows::b_B, &Sizes::boxes},
    {"compliance_B", &perp_rows::compliance_B, &Sizes::boxes},
    {"lo_B", &perp_rows::lo_B, &Sizes::boxes},
    {"hi_B", &perp_rows::hi_B, &Sizes::boxes},
};

mxArray* new_count(std::int64_t value) { return new_scalar(static_cast<double>(value)); }

const char* law_name(std::int64_t law) {
    return law == PERP_LAW_CONE ? "cone" : law == PERP_LAW_BOX ? "box" : "coulomb";
}

HeldProblem& problem_of(const Call& call) { return find<HeldProblem>(call.argument(0, "problem")); }

HeldProblem& problem_to_change(const Call& call) {
    return find_free<HeldProblem>(call.argument(0, "problem"));
}

// system, law, rows
void assemble(const Call& call) {
    const HeldSystem& system = find<HeldSystem>(call.argument(0, "system"));
    const std::string law = text(call.argument(1, "law"));
    if (law != "cone" && law != "coulomb" && law != "box")
        refuse("perp:badValue", "law = \"" + law + "\" is not one of cone, coulomb, box");
    const Rows rows(call.argument(2, "rows"), system.sizes);
    perp_problem* problem = nullptr;
    require((law == "box" ? perp_blcp_assemble : perp_cone_assemble)(system.system.get(),
                                                                     &rows.get(), &problem));
    auto held = held_problem(problem);
    if (law == "coulomb") require(perp_problem_set_law(problem, PERP_LAW_COULOMB));
    call.output[0] = hold(std::move(held));
}

void keep_pattern(HeldProblem& held, const Matrix& matrix) {
    held.matrix = matrix.name() == "H" ? "H" : "W";
    held.pattern = Pattern(matrix);
}

// H, q, lo, hi, keep
void create_blcp(const Call& call) {
    const Matrix H(call.argument(0, "H"));
    const std::int64_t rows = H.triplets().rows;
    const Vector q(call.argument(1, "q"), rows, false);
    const Vector lo(call.argument(2, "lo"), rows, true), hi(call.argument(3, "hi"), rows, true);
    const bool keep = scalar(call.argument(4, "keep")) != 0.0;
    perp_problem* problem = nullptr;
    require(perp_blcp_create(&H.triplets(), q.data(), lo.data(), hi.data(), &problem),
            {H.places()});
    auto held = held_problem(problem);
    if (keep) keep_pattern(*held, H);
    call.output[0] = hold(std::move(held));
}

// W, q, tangential_rows, angular_rows, mu, rho, sigma, V, R, s, coulomb, keep
void create_delassus(const Call& call) {
    const Matrix W(call.argument(0, "W")), V(call.argument(7, "V")), R(call.argument(8, "R"));
    perp_delassus_def def{};
    require(perp_delassus_def_init(&def, sizeof def));
    def.W = &W.triplets();
    if (V.triplets().rows > 0 || V.triplets().cols > 0) def.V = &V.triplets();
    if (R.triplets().rows > 0 || R.triplets().cols > 0) def.R = &R.triplets();
    if (given(call.argument(2, "tangential_rows")))
        def.tangential_rows = whole(call.argument(2, "tangential_rows"));
    if (given(call.argument(3, "angular_rows")))
        def.angular_rows = whole(call.argument(3, "angular_rows"));
    // Where they are out of range, perp refuses before it reads a vector.
    const bool sane = def.tangential_rows >= 0 && def.tangential_rows <= 2 &&
                      def.angular_rows >= 0 && def.angular_rows <= 3;
    const std::int64_t rows = W.triplets().rows;
    const std::int64_t contacts = sane ? rows / (1 + def.tangential_rows + def.angular_rows) : 0;
    Vector q, mu, rho, sigma, s;
    if (sane) {
        q = Vector(call.argument(1, "q"), rows, false);
        mu = Vector(call.argument(4, "mu"), contacts, true);
        rho = Vector(call.argument(5, "rho"), contacts, true);
        sigma = Vector(call.argument(6, "sigma"), contacts, true);
        s = Vector(call.argument(9, "s"), V.triplets().cols, true);
    }
    def.q = q.data();
    def.mu = mu.data();
    def.rho = rho.data();
    def.sigma = sigma.data();
    def.s = s.data();
    const bool coulomb = scalar(call.argument(10, "coulomb")) != 0.0;
    const bool keep = scalar(call.argument(11, "keep")) != 0.0;
    perp_problem* problem = nullptr;
    require(perp_delassus_create(&def, &problem), {W.places(), V.places(), R.places()});
    auto held = held_problem(problem);
    if (coulomb) require(perp_problem_set_law(problem, PERP_LAW_COULOMB));
    if (keep) keep_pattern(*held, W);
    call.output[0] = hold(std::move(held));
}

// problem, rows, system or []
void set_rows(const Call& call) {
    HeldProblem& held = problem_to_change(call);
    const perp_system* system = nullptr;
    if (given(call.argument(2, "system")))
        system = find<HeldSystem>(call.argument(2, "system")).system.get();
    const Rows rows(call.argument(1, "rows"), held.sizes);
    require(perp_problem_set_rows(held.problem.get(), system, &rows.get()));
}

// problem, q, lo, hi
void set_vectors(const Call& call) {
    HeldProblem& held = problem_to_change(call);
    const Vector q(call.argument(1, "q"), held.vector_rows, false);
    const Vector lo(call.argument(2, "lo"), held.rows, true);
    const Vector hi(call.argument(3, "hi"), held.rows, true);
    require(perp_problem_set_vectors(held.problem.get(), q.data(), lo.data(), hi.data()));
}

// Rows, counted from 1, as perp counts.
std::vector<std::int64_t> row_numbers(const Argument& argument, std::int64_t count,
                                      std::int64_t rows) {
    std::vector<std::int64_t> numbers = whole_numbers(argument, count);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (numbers[k] < 1 || numbers[k] > rows)
            refuse("perp:badIndex", std::string(argument.name) + "(" + std::to_string(k + 1) +
                                        ") = " + std::to_string(numbers[k]) + " is outside 1.." +
                                        std::to_string(rows));
        --numbers[k];
    }
    return numbers;
}

// problem, row, normal, coefficient
void set_ties(const Call& call) {
    HeldProblem& held = problem_to_change(call);
    const auto row = row_numbers(call.argument(1, "row"), -1, held.rows);
    const auto count = static_cast<std::int64_t>(row.size());
    const auto normal = row_numbers(call.argument(2, "normal"), count, held.rows);
    const Vector coefficient(call.argument(3, "coefficient"), count, true);
    require(perp_problem_set_ties(held.problem.get(), count, row.data(), normal.data(),
                                  coefficient.data()));
}

// problem, law
void set_law(const Call& call) {
    HeldProblem& held = problem_to_change(call);
    const std::string law = text(call.argument(1, "law"));
    if (law != "cone" && law != "coulomb" && law != "box")
        refuse("perp:badValue", "law = \"" + law + "\" is not one of cone, coulomb, box");
    require(perp_problem_set_law(held.problem.get(), law == "cone"      ? PERP_LAW_CONE
                                                     : law == "coulomb" ? PERP_LAW_COULOMB
                                                                        : PERP_LAW_BOX));
}

// problem, matrix
void update(const Call& call) {
    HeldProblem& held = problem_to_change(call);
    if (held.matrix == nullptr)
        refuse("perp:unsupported",
               "only problems made of a matrix H or W take a new one; for others, update the "
               "system and make the problem again");
    const Matrix matrix(call.argument(1, held.matrix));
    std::vector<double> own;
    const double* const values = held.pattern.values(matrix, own);
    require(perp_problem_update(held.problem.get(), held.pattern.count(), values),
            {held.pattern.places(held.matrix)});
}

// problem
void info(const Call& call) {
    perp_problem_info i{};
    i.struct_size = sizeof i;
    require(perp_problem_get_info(problem_of(call).problem.get(), &i));
    static const char* const forms[3] = {"system", "blcp", "delassus"};
    call.output[0] = new_struct({{"rows", new_count(i.rows)},
                                 {"velocities", new_count(i.velocities)},
                                 {"bilateral", new_count(i.bilateral)},
                                 {"contacts", new_count(i.contacts)},
                                 {"tangential_rows", new_count(i.tangential_rows)},
                                 {"angular_rows", new_count(i.angular_rows)},
                                 {"boxes", new_count(i.boxes)},
                                 {"law", new_text(law_name(i.law))},
                                 {"matrix_form", new_text(forms[i.matrix_form])},
                                 {"nonzeros", new_count(i.nonzeros)},
                                 {"largest_mass_block", new_count(i.largest_mass_block)},
                                 {"asymmetry", new_scalar(i.asymmetry)},
                                 {"free_velocity_norm", new_scalar(i.free_velocity_norm)},
                                 {"tied", new_count(i.tied)}});
}

// problem, z -> u, v
void velocity(const Call& call) {
    const HeldProblem& held = problem_of(call);
    const Vector z = impulses(call.argument(1, "z"), held.rows);
    mxArray* const u = new_column(held.rows);
    mxArray* const v = call.outputs > 1 ? new_column(held.sizes.velocities) : nullptr;
    double none = 0.0;  // n = 0: perp is still to see that v is wanted
    double* const velocities = v == nullptr                 ? nullptr
                               : held.sizes.velocities == 0 ? &none
                                                            : mxGetDoubles(v);
    require(perp_constraint_velocity(held.problem.get(), z.data(), mxGetDoubles(u), velocities));
    call.output[0] = u;
    if (v != nullptr) call.output[1] = v;
}

// problem. perp gives the matrix by rows: counted and put in place by columns.
void form_matrix(const Call& call) {
    const HeldProblem& held = problem_of(call);
    std::int64_t count = 0;
    require(perp_form_matrix(held.problem.get(), &count, nullptr, nullptr, nullptr));
    const auto n = static_cast<std::size_t>(count);
    std::vector<std::int64_t> row(n), col(n);
    std::vector<double> value(n);
    if (count > 0)
        require(perp_form_matrix(held.problem.get(), &count, row.data(), col.data(), value.data()));
    const auto rows = static_cast<mwSize>(held.rows);
    mxArray* const result =
        mxCreateSparse(rows, rows, static_cast<mwSize>(std::max<std::int64_t>(count, 1)), mxREAL);
    mwIndex* const start = mxGetJc(result);
    mwIndex* const index = mxGetIr(result);
    double* const values = mxGetDoubles(result);
    std::fill(start, start + held.rows + 1, mwIndex{0});
    for (const std::int64_t j : col) ++start[j + 1];
    for (std::int64_t j = 0; j < held.rows; ++j) start[j + 1] += start[j];
    std::vector<mwIndex> next(start, start + held.rows);
    for (std::size_t k = 0; k < n; ++k) {
        const mwIndex at = next[static_cast<std::size_t>(col[k])]++;
        index[at] = static_cast<mwIndex>(row[k]);
        values[at] = value[k];
    }
    call.output[0] = result;
}

// problem, z
void residual(const Call& call) {
    const HeldProblem& held = problem_of(call);
    const Vector z = impulses(call.argument(1, "z"), held.rows);
    perp_residual_info r{};
    r.struct_size = sizeof r;
    require(perp_residual(held.problem.get(), z.data(), &r));
    call.output[0] = new_struct({{"eta", new_scalar(r.eta)},
                                 {"eta_bilateral", new_scalar(r.eta_bilateral)},
                                 {"eta_normal", new_scalar(r.eta_normal)},
                                 {"eta_friction", new_scalar(r.eta_friction)},
                                 {"eta_box", new_scalar(r.eta_box)},
                                 {"worst_row", new_count(r.worst_row + 1)},
                                 {"eta_coulomb", new_scalar(r.eta_coulomb)},
                                 {"penetration_velocity", new_scalar(r.penetration_velocity)},
                                 {"cone_violation", new_scalar(r.cone_violation)},
                                 {"complementarity", new_scalar(r.complementarity)},
                                 {"bilateral_velocity", new_scalar(r.bilateral_velocity)}});
}

// problem, method -> does it fit, why not
void supports(const Call& call) {
    const HeldProblem& held = problem_of(call);
    const std::string name = text(call.argument(1, "method"));
    const std::int64_t method = perp_method_from_name(name.c_str());
    if (method == 0) refuse("perp:badSetting", "method = \"" + name + "\" is unknown");
    const std::int32_t status = perp_solver_supports(held.problem.get(), method);
    if (status != PERP_UNSUPPORTED) require(status);
    const bool fits = status == PERP_OK;
    const std::string reason = fits ? "" : one_based(perp_last_message(), {});
    call.output[0] = mxCreateLogicalScalar(fits);
    if (call.outputs > 1) call.output[1] = new_text(reason.c_str());
}

}  // namespace

Rows::Rows(const Argument& argument, const Sizes& sizes) {
    require(perp_rows_init(&rows_, sizeof rows_));
    if (argument.array == nullptr || !mxIsStruct(argument.array) ||
        mxGetNumberOfElements(argument.array) != 1)
        refuse("perp:badType", std::string(argument.name) + " is not a struct");
    const int fields = mxGetNumberOfFields(argument.array);
    vectors_.resize(static_cast<std::size_t>(fields));
    for (int k = 0; k < fields; ++k) {
        const char* const name = mxGetFieldNameByNumber(argument.array, k);
        const auto* const known =
            std::find_if(std::begin(row_vectors), std::end(row_vectors),
                         [&](const RowVector& v) { return std::strcmp(v.name, name) == 0; });
        if (known == std::end(row_vectors))
            refuse("perp:badOption", std::string("there is no vector \"") + name + "\"");
        const bool spread = known->field != &perp_rows::f;
        Vector& vector = vectors_[static_cast<std::size_t>(k)];
        vector = Vector({mxGetFieldByNumber(argument.array, 0, k), known->name}, sizes.*known->size,
                        spread);
        rows_.*known->field = vector.data();
    }
}

std::unique_ptr<HeldProblem> held_problem(perp_problem* problem) {
    Owner<perp_problem, perp_problem_destroy> owner(problem);
    auto held = std::make_unique<HeldProblem>();
    held->problem = std::move(owner);
    perp_problem_info i{};
    i.struct_size = sizeof i;
    require(perp_problem_get_info(problem, &i));
    held->sizes = {i.velocities,
                   i.bilateral,
                   i.contacts,
                   i.contacts * i.tangential_rows,
                   i.contacts * i.angular_rows,
                   i.boxes};
    held->rows = i.rows;
    held->vector_rows = i.matrix_form == 2 ? i.rows - i.bilateral : i.rows;
    return held;
}

Vector impulses(const Argument& argument, std::int64_t rows) {
    if (rows > 0 && !given(argument))
        refuse(argument.array == nullptr || mxIsDouble(argument.array) ? "perp:badSize"
                                                                       : "perp:badType",
               std::string(argument.name) + " has no entries, expected " + std::to_string(rows));
    return Vector(argument, rows, false);
}

const std::vector<Command>& problem_commands() {
    static const std::vector<Command> commands = {
        {"problem_assemble", 3, 1, assemble},
        {"problem_blcp", 5, 1, create_blcp},
        {"problem_delassus", 12, 1, create_delassus},
        {"problem_set_rows", 3, 0, set_rows},
        {"problem_set_vectors", 4, 0, set_vectors},
        {"problem_set_ties", 4, 0, set_ties},
        {"problem_set_law", 2, 0, set_law},
        {"problem_update", 2, 0, update},
        {"problem_info", 1, 1, info},
        {"problem_velocity", 2, 2, velocity},
        {"problem_form_matrix", 1, 1, form_matrix},
        {"problem_residual", 2, 1, residual},
        {"problem_supports", 2, 2, supports},
    };
    return commands;
}

}  // namespace perp_mex
