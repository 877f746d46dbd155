// time_mujoco MODEL.xml BODY STEPS: steps a model of MuJoCo from its first keyframe, if it has one, and prints the final centre
// of mass of a body, m, and the processor time of the steps, s (bench/time_work.py).
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
    char error[1000] = "";
    mjModel *model = argc == 4 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
    if (!model) {
        (void)fprintf(stderr, "time_mujoco: %s\n", argc == 4 ? error : "MODEL.xml BODY STEPS");
        return 1;
    }
    const int body = mj_name2id(model, mjOBJ_BODY, argv[2]), steps = atoi(argv[3]);
    mjData *data = mj_makeData(model);
    if (!data || body < 0) {
        (void)fprintf(stderr, "time_mujoco: no memory, or no body %s\n", argv[2]);
        return 1;
    }
    if (model->nkey > 0)
        mj_resetDataKeyframe(model, data, 0);
    const clock_t begin = clock();
    for (int k = 0; k < steps; k++)
        mj_step(model, data);
    const clock_t end = clock();
    mj_forward(model, data);
    const mjtNum *x = data->xipos + 3 * body;
    printf("%.17g %.17g %.17g %.6f\n", x[0], x[1], x[2], (double)(end - begin) / CLOCKS_PER_SEC);
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
