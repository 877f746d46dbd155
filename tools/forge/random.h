// Random numbers of the forgers.
#ifndef FORGE_RANDOM_H
#define FORGE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

// A stream of random numbers: the same for the same seed and number of the specimen, whatever came before.
typedef struct stream {
    uint64_t state;
} stream;

stream stream_open(uint64_t seed, uint64_t number);
double draw_uniform(stream *random, double from, double to);
int draw_below(stream *random, int count); // 0 … count - 1
bool draw_chance(stream *random, double probability);
double draw_normal(stream *random);
double draw_decades(stream *random, double from, double to); // 10^x, x uniform

#endif
