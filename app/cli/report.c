// Reports for people.
#include "cli/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/system/rank.h"
#include "voussoir/voussoir.h"

bool app_colour(void) {
    const char *never = getenv("NO_COLOR"), *terminal = getenv("TERM");
    // mpirun gives its processes a pseudo-terminal, wherever their output goes
    return !app_is_distributed() && isatty(STDOUT_FILENO) == 1 && !(never && *never) && terminal &&
           strcmp(terminal, "dumb") != 0;
}

void app_format_seconds(double seconds, char text[16]) {
    const char *unit = "s";
    if (seconds < 0.9995e-3) {
        seconds *= 1e6;
        unit = "us";
    } else if (seconds < 0.9995) {
        seconds *= 1e3;
        unit = "ms";
    }
    const int digits = seconds < 9.995 ? 2 : seconds < 99.95 ? 1 : 0;
    (void)snprintf(text, 16, "%.*f %s", strcmp(unit, "us") == 0 ? 0 : digits, seconds, unit);
}

void app_report_name(const char *name) {
    printf("  %-20s", name);
}

static void print_range(const char *name, double low, double high, const char *unit) {
    app_report_name(name);
    if (low == high)
        printf("%g%s\n", low, unit);
    else
        printf("%g to %g%s\n", low, high, unit);
}

void app_report_plural(int count, const char *word) {
    printf("%d %s%s", count, word, count == 1 ? "" : "s");
}

void app_report_problem(const vs_problem_info *info) {
    app_report_name("contacts");
    app_report_plural(info->contacts, "contact");
    printf(" (%d rows)", info->m);
    if (info->m_e > 0) {
        printf(", ");
        app_report_plural(info->joints, "joint");
        printf(" (%d rows)", info->m_e);
    }
    printf("%s\n", info->compliant ? ", compliant" : "");

    app_report_name("form");
    if (info->local)
        printf("local: y = N l + r, %lld nonzeros in N\n", (long long)info->nnz_N);
    else {
        printf("global: ");
        app_report_plural(info->n, "velocity unknown");
        printf(" in ");
        app_report_plural(info->blocks, "block");
        printf(", nonzeros %lld in H, %lld in D", (long long)info->nnz_H, (long long)info->nnz_D);
        if (info->m_e > 0)
            printf(", %lld in C", (long long)info->nnz_C);
        printf("\n");
    }
    if (info->asymmetry > 0) {
        app_report_name(info->local ? "asymmetry of N" : "asymmetry of H");
        printf("%.1e relative\n", info->asymmetry);
    }
    if (isfinite(info->mu_min) && isfinite(info->mu_max))
        print_range("friction mu", info->mu_min, info->mu_max, "");
    print_range(info->local ? "effective masses" : "masses, inertias", info->mass_min, info->mass_max,
                info->local ? " kg" : " kg, kg m^2");
}
