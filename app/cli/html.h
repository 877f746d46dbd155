// Pages of reports: one HTML file without scripts that needs no network; drawings and pictures are embedded.
#ifndef VS_APP_CLI_HTML_H
#define VS_APP_CLI_HTML_H

#include <stdbool.h>
#include <stdio.h>

void app_html_begin(FILE *to, const char *title); // up to its headline
void app_html_end(FILE *to);
void app_html_text(FILE *to, const char *text);                    // with < > & " escaped
void app_html_item(FILE *to, const char *name, const char *value); // of a <dl>; the value is escaped
// The drawing of gnuplot in `path`; its ids get a prefix of `number`, because all drawings share one page. false: there
// is none.
bool app_html_svg(FILE *to, const char *path, int number);
// A PNG file as a picture of the page; false: it cannot be read, or is none.
bool app_html_png(FILE *to, const char *path, const char *about);

#endif
