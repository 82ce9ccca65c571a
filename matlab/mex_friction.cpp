// Commands of perp.Friction: time steps under a friction model.
#include <algorithm>
#include <cstring>

#include "mex_commands.hpp"

namespace perp_mex {

namespace {

mxArray* new_count(std::int64_t value) { return new_scalar(static_cast<double>(value)); }

struct Word {
    const char* option;
    const char* text;
    std::int64_t value;
};

constexpr Word words[] = {
    {"model", "bristle", PERP_FRICTION_BRISTLE},  {"model", "box", PERP_FRICTION_BOX},
    {"model", "polygon", PERP_FRICTION_POLYGON},  {"model", "cone", PERP_FRICTION_CONE},
    {"model", "coulomb", PERP_FRICTION_COULOMB},  {"bounds", "auto", PERP_BOUNDS_AUTO},
    {"bounds", "previous", PERP_BOUNDS_PREVIOUS}, {"bounds", "iterated", PERP_BOUNDS_ITERATED},
    {"axes", "given", PERP_AXES_GIVEN},           {"axes", "sliding", PERP_AXES_SLIDING},
};

std::int64_t word(const Argument& argument) {
    const std::string given_text = text(argument);
    std::string known;
    for (const Word& word : words) {
        if (std::strcmp(word.option, argument.name) != 0) continue;
        if (given_text == word.text) return word.value;
        known += (known.empty() ? "" : ", ") + std::string(word.text);
    }
    refuse("perp:badSetting",
           std::string(argument.name) + " = \"" + given_text + "\" is not one of " + known);
}

struct Option {
    const char* name;
    std::int64_t perp_friction_def::*choice;   // by a word
    std::int64_t perp_friction_def::*integer;  // a whole number
    double perp_friction_def::*real;
};

constexpr Option options[] = {
    {"model", &perp_friction_def::model, nullptr, nullptr},
    {"bounds", &perp_friction_def::bounds, nullptr, nullptr},
    {"axes", &perp_friction_def::axes, nullptr, nullptr},
    {"facets", nullptr, &perp_friction_def::facets, nullptr},
    {"max_passes", nullptr, &perp_friction_def::max_passes, nullptr},
    {"pass_tolerance", nullptr, nullptr, &perp_friction_def::pass_tolerance},
    {"sticking_speed", nullptr, nullptr, &perp_friction_def::sticking_speed},
    {"stiffness", nullptr, nullptr, &perp_friction_def::stiffness},
    {"recovery_speed", nullptr, nullptr, &perp_friction_def::recovery_speed},
};

HeldFriction& friction_of(const Call& call) {
    return find<HeldFriction>(call.argument(0, "friction"));
}

// options: a struct with the fields of perp_friction_def, as they are given
void create(const Call& call) {
    const mxArray* const given_options = call.input[0];
    if (!mxIsStruct(given_options) || mxGetNumberOfElements(given_options) != 1)
        refuse("perp:badType", "options is not a struct");
    perp_friction_def def{};
    require(perp_friction_def_init(&def, sizeof def));
    for (int k = 0; k < mxGetNumberOfFields(given_options); ++k) {
        const char* const name = mxGetFieldNameByNumber(given_options, k);
        const auto* const option =
            std::find_if(std::begin(options), std::end(options),
                         [&](const Option& o) { return std::strcmp(o.name, name) == 0; });
        if (option == std::end(options))
            refuse("perp:badSetting", std::string("there is no setting \"") + name + "\"");
        const Argument value{mxGetFieldByNumber(given_options, 0, k), option->name};
        if (option->choice != nullptr) def.*option->choice = word(value);
        if (option->integer != nullptr) def.*option->integer = whole(value);
        if (option->real != nullptr) def.*option->real = scalar(value);
    }
    perp_friction* friction = nullptr;
    require(perp_friction_create(&def, &friction));
    Owner<perp_friction, perp_friction_destroy> owner(friction);
    auto held = std::make_unique<HeldFriction>();
    held->friction = std::move(owner);
    call.output[0] = hold(std::move(held));
}

// perp_contacts from a struct with its fields, as they are given; h comes on its own.
class Contacts {
public:
    Contacts(const Argument& argument, const Argument& h, const Sizes& sizes) {
        require(perp_contacts_init(&contacts_, sizeof contacts_));
        contacts_.h = scalar(h);
        if (argument.array == nullptr || !mxIsStruct(argument.array) ||
            mxGetNumberOfElements(argument.array) != 1)
            refuse("perp:badType", std::string(argument.name) + " is not a struct");
        for (int k = 0; k < mxGetNumberOfFields(argument.array); ++k)
            set({mxGetFieldByNumber(argument.array, 0, k),
                 mxGetFieldNameByNumber(argument.array, k)},
                sizes);
    }
    const perp_contacts& get() const noexcept { return contacts_; }

private:
    void set(const Argument& field, const Sizes& sizes) {
        const std::string name = field.name;
        if (!given(field)) return;
        if (name == "id") {
            id_ = whole_numbers(field, sizes.contacts);
            id_.reserve(1);
            contacts_.id = id_.data();
        } else if (name == "velocity") {
            keep(velocity_, contacts_.velocity, Vector(field, sizes.velocities, false));
        } else if (name == "axes") {
            set_axes(field, sizes);
        } else if (name == "sticking_speed") {
            keep(sticking_speed_, contacts_.sticking_speed, Vector(field, sizes.contacts, true));
        } else if (name == "stiffness") {
            keep(stiffness_, contacts_.stiffness, Vector(field, sizes.contacts, true));
        } else if (name == "normal_estimate") {
            keep(normal_estimate_, contacts_.normal_estimate, Vector(field, sizes.contacts, true));
        } else if (name == "facet_angle") {
            keep(facet_angle_, contacts_.facet_angle, Vector(field, sizes.contacts, true));
        } else {
            refuse("perp:badOption", "there is no option \"" + name + "\" of contacts");
        }
    }

    // 3 x (t r): one axis per column, which is how perp wants them one after the other.
    void set_axes(const Argument& field, const Sizes& sizes) {
        if (!mxIsDouble(field.array) || mxIsComplex(field.array) || mxIsSparse(field.array))
            refuse("perp:badType", "axes are not a full real matrix of class double");
        if (mxGetNumberOfDimensions(field.array) != 2 || mxGetM(field.array) != 3 ||
            static_cast<std::int64_t>(mxGetN(field.array)) != sizes.sliding)
            refuse("perp:badSize", "axes are " + std::to_string(mxGetM(field.array)) + " x " +
                                       std::to_string(mxGetN(field.array)) + ", expected 3 x " +
                                       std::to_string(sizes.sliding));
        contacts_.axes = mxGetDoubles(field.array);
    }

    static void keep(Vector& place, const double*& pointer, Vector&& vector) {
        place = std::move(vector);
        pointer = place.data();
    }

    perp_contacts contacts_{};
    std::vector<std::int64_t> id_;
    Vector velocity_, sticking_speed_, stiffness_, normal_estimate_, facet_angle_;
};

mxArray* info_struct(const perp_step_info& i) {
    const char* const method = perp_method_name(i.method);
    return new_struct({{"outcome", new_text(perp_outcome_text(i.outcome))},
                       {"outcome_number", new_count(i.outcome)},
                       {"method", new_text(method == nullptr ? "" : method)},
                       {"passes", new_count(i.passes)},
                       {"converged", new_count(i.converged)},
                       {"eta", new_scalar(i.eta)},
                       {"law_residual", new_scalar(i.law_residual)},
                       {"dissipation", new_scalar(i.dissipation)},
                       {"elastic_energy", new_scalar(i.elastic_energy)},
                       {"open", new_count(i.open)},
                       {"stick", new_count(i.stick)},
                       {"slip", new_count(i.slip)},
                       {"roll", new_count(i.roll)},
                       {"remembered", new_count(i.remembered)},
                       {"iterations", new_count(i.iterations)},
                       {"products", new_count(i.products)},
                       {"factorizations", new_count(i.factorizations)},
                       {"updates", new_count(i.updates)},
                       {"fallbacks", new_count(i.fallbacks)},
                       {"tie_rounds", new_count(i.tie_rounds)},
                       {"setup_seconds", new_scalar(i.setup_seconds)},
                       {"solve_seconds", new_scalar(i.solve_seconds)},
                       {"total_seconds", new_scalar(i.total_seconds)},
                       {"least_norm", new_count(i.least_norm)}});
}

// friction, system, h, rows, contacts, settings -> v, z, info, state
void step(const Call& call) {
    HeldFriction& held = friction_of(call);
    const HeldSystem& system = find<HeldSystem>(call.argument(1, "system"));
    const Rows rows(call.argument(3, "rows"), system.sizes);
    const Contacts contacts(call.argument(4, "contacts"), call.argument(2, "h"), system.sizes);
    const perp_settings settings = settings_of(call.argument(5, "settings"));

    mxArray* const v = new_column(system.sizes.velocities);
    mxArray* const z = new_column(rows_of(system.sizes));
    std::vector<std::int8_t> state(static_cast<std::size_t>(system.sizes.contacts));
    perp_step_info info{};
    info.struct_size = sizeof info;
    require(perp_step(held.friction.get(), system.system.get(), &rows.get(), &contacts.get(),
                      &settings, mxGetDoubles(v), mxGetDoubles(z), state.data(), &info));
    call.output[0] = v;
    if (call.outputs > 1) call.output[1] = z;
    if (call.outputs > 2) call.output[2] = info_struct(info);
    if (call.outputs > 3) {
        call.output[3] = new_column(system.sizes.contacts);
        std::copy(state.begin(), state.end(), mxGetDoubles(call.output[3]));
    }
}

// friction -> id (count x 1, int64), record (PERP_CONTACT_RECORD x count)
void get_state(const Call& call) {
    const HeldFriction& held = friction_of(call);
    std::int64_t count = 0;
    require(perp_friction_get_state(held.friction.get(), &count, nullptr, nullptr));
    mxArray* const id = mxCreateNumericMatrix(static_cast<mwSize>(count), 1, mxINT64_CLASS, mxREAL);
    mxArray* const record =
        mxCreateDoubleMatrix(PERP_CONTACT_RECORD, static_cast<mwSize>(count), mxREAL);
    std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
    if (count > 0)
        require(
            perp_friction_get_state(held.friction.get(), &count, ids.data(), mxGetDoubles(record)));
    std::copy(ids.begin(), ids.end(), mxGetInt64s(id));
    call.output[0] = id;
    if (call.outputs > 1) call.output[1] = record;
}

// friction, id, record
void set_state(const Call& call) {
    HeldFriction& held = friction_of(call);
    const auto id = whole_numbers(call.argument(1, "id"), -1);
    const auto count = static_cast<std::int64_t>(id.size());
    const Matrix record(call.argument(2, "record"));
    const perp_triplets& t = record.triplets();
    if (!record.full()) refuse("perp:badType", "record is not a full matrix");
    const bool none = count == 0 && t.count == 0;
    if (!none && (t.rows != PERP_CONTACT_RECORD || t.cols != count))
        refuse("perp:badSize", "record is " + std::to_string(t.rows) + " x " +
                                   std::to_string(t.cols) + ", expected " +
                                   std::to_string(PERP_CONTACT_RECORD) + " x " +
                                   std::to_string(count));
    require(perp_friction_set_state(held.friction.get(), count, id.data(), t.value));
}

}  // namespace

const std::vector<Command>& friction_commands() {
    static const std::vector<Command> commands = {
        {"friction_create", 1, 1, create},
        {"friction_step", 6, 4, step},
        {"friction_state", 1, 2, get_state},
        {"friction_set_state", 3, 0, set_state},
    };
    return commands;
}

}  // namespace perp_mex
