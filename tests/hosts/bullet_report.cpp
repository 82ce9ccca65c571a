// Bullet's stacks and wall with its own solvers and with perp: fallbacks, heights, time per step.
//   bullet_report [STEPS]
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "BulletDynamics/MLCPSolvers/btDantzigSolver.h"
#include "BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h"
#include "bullet_scene.hpp"
#include "hosts/bullet.hpp"

namespace {

struct Scene {
    const char* name;
    int width, height;  // width 0: a stack
};

void run(const Scene& scene, const char* name, btSequentialImpulseConstraintSolver& solver,
         const btMLCPSolver* counting, int steps) {
    perp::test::BulletScene world(solver);
    if (scene.width == 0)
        world.add_stack(scene.height);
    else
        world.add_wall(scene.width, scene.height);
    const double seconds = world.step(steps);
    std::printf("%-10s %-22s %8d %12.4f %10.3f\n", scene.name, name,
                counting ? counting->getNumFallbacks() : 0, 1e3 * world.sunk(),
                1e3 * seconds / steps);
}

}  // namespace

int main(int argc, char** argv) {
    const int steps = argc > 1 ? std::atoi(argv[1]) : 600;
    std::printf("%d steps of 1/60 s, %s precision\n", steps,
                sizeof(btScalar) == 8 ? "double" : "single");
    std::printf("%-10s %-22s %8s %12s %10s\n", "scene", "solver", "fallback", "moved mm",
                "ms/step");
    for (const Scene& scene :
         {Scene{"stack 5", 0, 5}, {"stack 10", 0, 10}, {"stack 20", 0, 20}, {"wall 6x5", 6, 5}}) {
        {
            btSequentialImpulseConstraintSolver solver;
            run(scene, "sequential impulse", solver, nullptr, steps);
        }
        {
            btSolveProjectedGaussSeidel pgs;
            btMLCPSolver solver(&pgs);
            run(scene, "MLCP, PGS", solver, &solver, steps);
        }
        {
            btDantzigSolver dantzig;
            btMLCPSolver solver(&dantzig);
            run(scene, "MLCP, Dantzig", solver, &solver, steps);
        }
        {
            perp::hosts::BulletMlcpSolver mlcp;
            btMLCPSolver solver(&mlcp);
            run(scene, "MLCP, perp", solver, &solver, steps);
        }
        {
            perp::hosts::BulletSparseSolver solver;
            run(scene, "perp, sparse rows", solver, &solver, steps);
        }
    }
}
