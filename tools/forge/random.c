#include "random.h"

#include <math.h>

static const double TURN = 6.283185307179586;

// SplitMix64 (Steele, Lea and Flood 2014)
static uint64_t next(stream *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

stream stream_open(uint64_t seed, uint64_t number) {
    stream s = {seed * 0xd1342543de82ef95u + 1};
    s.state = next(&s) ^ number * 0xda942042e4dd58b5u;
    next(&s);
    return s;
}

double draw_uniform(stream *random, double from, double to) {
    return from + (to - from) * ((double)(next(random) >> 11) * 0x1p-53);
}

int draw_below(stream *random, int count) {
    return (int)(next(random) % (uint64_t)count);
}

bool draw_chance(stream *random, double probability) {
    return draw_uniform(random, 0, 1) < probability;
}

double draw_normal(stream *random) {
    double r = sqrt(-2 * log(draw_uniform(random, 0x1p-53, 1)));
    return r * cos(draw_uniform(random, 0, TURN));
}

double draw_decades(stream *random, double from, double to) {
    return pow(10, draw_uniform(random, from, to));
}
