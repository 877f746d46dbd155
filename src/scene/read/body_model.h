// What bodies of one kind have in common: their shapes, mass and motion. Of an array of bodies, or of those of a factory.
#ifndef VS_SCENE_BODY_MODEL_H
#define VS_SCENE_BODY_MODEL_H

#include "scene/read/reader.h"

// A shape on a body.
typedef struct vs_model_item {
    vs_read_shape shape;
    double density;
    vs_collider_def def; // pose in the user's frame
} vs_model_item;

typedef struct vs_body_model {
    vs_body_def def; // pose of the user's frame
    vs_vec3 centre;  // of mass, in the user's frame
    vs_model_item *item;
    size_t items;
    bool driven;
    vs_signal drive[6];
} vs_body_model;

#define VS_MODEL_SHAPE_KEYS "shape shapes material density"

// "shape" or "shapes", with "material" and "density" of the body; in the arena, with references to the shapes.
void vs_model_read_shapes(vs_reader *reader, const vs_node *node, vs_body_model *m);
void vs_model_release(vs_body_model *m); // these references
// Colliders of a shape: more than one if it is decomposed.
int vs_model_colliders(const vs_model_item *one);
// Mass, centre and inertia: of the shapes, or "mass", "inertia" and "centre".
void vs_model_read_mass(const vs_node *node, vs_body_model *m);
// One for the shape, or one per part of it; centre: of mass, in the user's frame.
void vs_model_add_colliders(vs_reader *reader, const vs_node *node, const vs_model_item *one, vs_body_id body,
                            vs_vec3 centre);
// A copy, larger by a factor, of the same density; in the arena. Release it.
vs_body_model vs_model_scale(vs_reader *reader, const vs_node *node, const vs_body_model *m, double factor);

#endif
