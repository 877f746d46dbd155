// cmocka with the headers it needs, and the headers that every test uses.
#ifndef VS_TESTS_KIT_TEST_H
#define VS_TESTS_KIT_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif
