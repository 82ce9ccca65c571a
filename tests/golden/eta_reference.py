#!/usr/bin/env python3
"""Makes eta_reference.csv: eta at a made-up point of every instance, by an implementation of the
residual that shares nothing with perp.

  eta_reference.py CHECK_SOLUTION.py INSTANCES > eta_reference.csv

CHECK_SOLUTION.py has check(instance, solution, law) -> {"eta": ...}; INSTANCES is a folder of
folders. Impulse k of a group is hash(salt, k), see `impulses`; eta_reference_test.cpp makes the
same point.
"""
import glob, importlib.util, os, shutil, sys, tempfile
import h5py, numpy as np

SALT = {"lambda_A": 1, "lambda_N": 2, "lambda_T": 3, "lambda_S": 4, "z": 5}


def impulses(name, size):
    k = np.arange(size, dtype=np.uint64)
    return ((k * 2654435761 + SALT[name] * 40503) % 2**32) / 2.0**32 - 0.25


def sizes(h):
    """Group name -> length for the problem that the file holds first (dynamics before blcp)."""
    key = next((k for k in h if k.startswith("fclib_")), None)
    if key:
        g = h[key]
        r = len(g["vectors/mu"])
        t = min(int(g["spacedim"][0]), 3) - 1
        m = len(g["vectors/s"]) if "V" in g else (len(g["vectors/b"]) if "G" in g else 0)
        return {"lambda_A": m, "lambda_N": r, "lambda_T": t * r, "lambda_S": 3 * r if "rolling" in key else 0}
    if "dynamics" not in h:
        return {"z": len(h["blcp/q"])}
    r = h["contacts/N"].attrs["rows"] if "contacts" in h else 0
    m = h["bilateral/A"].attrs["rows"] if "bilateral" in h else 0
    return {"lambda_A": m, "lambda_N": r, "lambda_T": 2 * r, "lambda_S": 3 * r if "contacts" in h and "S" in h["contacts"] else 0}


def main(checker, instances):
    spec = importlib.util.spec_from_file_location("check_solution", checker)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    print("file,eta")
    for path in sorted(glob.glob(os.path.join(instances, "*", "*5"))):
        with h5py.File(path) as h:
            groups = sizes(h)
            rolling_only = any("rolling" in k for k in h)
        with tempfile.TemporaryDirectory() as folder:
            if rolling_only:  # check() reads the number of sliding rows off spacedim, which is 5 here
                path_read = os.path.join(folder, "instance.h5")
                shutil.copy(path, path_read)
                with h5py.File(path_read, "r+") as h:
                    next(h[k] for k in h if k.startswith("fclib_"))["spacedim"][0] = 3
            else:
                path_read = path
            solution = os.path.join(folder, "solution.h5")
            with h5py.File(solution, "w") as out:
                for name, size in groups.items():
                    value = impulses(name, size)
                    if name == "lambda_S" and rolling_only:
                        value[::3] = 0.0
                    if size:
                        out["solution/" + name] = value
                out.require_group("solution")
            print("%s,%.17g" % (os.path.relpath(path, instances), module.check(path_read, solution)["eta"]), flush=True)


main(sys.argv[1], sys.argv[2])
