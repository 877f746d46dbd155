// Pages of reports.
#include "cli/html.h"

#include <stdlib.h>
#include <string.h>

// Light and dark, for screens and paper.
static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1c1f23;--soft:#5b636b;--rule:#d9dde1;--wash:#f5f6f8;--page:#fff;--good:#00704f;"
    "--bad:#a33b00}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e7ea;--soft:#9aa4ad;--rule:#3a4047;--wash:#22262b;--page:#16191c;"
    "--good:#4fc79c;--bad:#f0a070}figure svg{filter:invert(.9) hue-rotate(180deg)}}"
    "body{margin:0 auto;max-width:72rem;padding:2rem 1.25rem 4rem;background:var(--page);color:var(--ink);"
    "font:16px/1.55 system-ui,sans-serif}"
    "h1{font-size:1.7rem;line-height:1.2;margin:0 0 .3rem}h2{font-size:1.2rem;margin:2.6rem 0 .4rem}"
    "p{margin:.5rem 0;max-width:46rem}.soft,figcaption,caption{color:var(--soft)}"
    "code{font:.88em ui-monospace,monospace;background:var(--wash);padding:.1em .3em;border-radius:3px;"
    "overflow-wrap:anywhere}"
    "figure{margin:1.2rem 0;overflow-x:auto}figure "
    "svg{display:block;width:100%;max-width:58rem;height:auto;min-width:34rem}"
    "figure img{display:block;width:100%;max-width:58rem;height:auto}figcaption{font-size:.9rem;margin-top:.2rem}"
    ".wide{overflow-x:auto;margin:.8rem 0}table{border-collapse:collapse;font-size:.88rem;"
    "font-variant-numeric:tabular-nums}"
    "th,td{padding:.28rem .7rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule)}"
    "th{font-weight:600}th:first-child,td:first-child,td.why{text-align:left}td.why{color:var(--soft);white-space:"
    "normal;"
    "min-width:12rem}"
    "th.group{text-align:center}th.group,td.group{border-left:1px solid var(--rule)}"
    "td.no{color:var(--bad)}td.best{color:var(--good);font-weight:600}"
    "caption{text-align:left;padding:.3rem 0;font-size:.88rem;caption-side:top}"
    "dl{display:grid;grid-template-columns:minmax(11rem,max-content) 1fr;gap:.15rem 1rem;margin:.8rem "
    "0}dt{color:var(--soft)}"
    "dd{margin:0}summary{cursor:pointer;margin:.6rem 0}@media print{details>*{display:block}}";

// ---- text --------------------------------------------------------------------------------------------------------

void app_html_text(FILE *to, const char *text) {
    for (; *text; text++) {
        if (*text == '<')
            (void)fputs("&lt;", to);
        else if (*text == '>')
            (void)fputs("&gt;", to);
        else if (*text == '&')
            (void)fputs("&amp;", to);
        else if (*text == '"')
            (void)fputs("&quot;", to);
        else
            (void)fputc(*text, to);
    }
}

void app_html_item(FILE *to, const char *name, const char *value) {
    (void)fprintf(to, "<dt>%s</dt><dd>", name);
    app_html_text(to, value);
    (void)fputs("</dd>\n", to);
}

void app_html_begin(FILE *to, const char *title) {
    (void)fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
                "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n<title>",
                to);
    app_html_text(to, title);
    (void)fprintf(to, "</title>\n<style>%s</style>\n</head>\n<body>\n<h1>", style);
    app_html_text(to, title);
    (void)fputs("</h1>\n", to);
}

void app_html_end(FILE *to) {
    (void)fputs("</body>\n</html>\n", to);
}

// ---- drawings and pictures ---------------------------------------------------------------------------------------

// With a zero behind the end; null: there is none.
static char *read_all(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        *length = text ? fread(text, 1, (size_t)size, file) : 0;
        if (text)
            text[*length] = '\0';
    }
    if (file)
        (void)fclose(file);
    return text;
}

// The drawing without its file header.
static void put_svg(FILE *to, const char *text, int number) {
    static const char *const drop[] = {" xmlns=\"http://www.w3.org/2000/svg\"",
                                       " xmlns:xlink=\"http://www.w3.org/1999/xlink\"", "<title>Gnuplot</title>",
                                       "<desc>Produced by GNUPLOT"};
    const char *at = strstr(text, "<svg");
    while (at && *at) {
        size_t skip = 0;
        for (size_t k = 0; k < 3 && !skip; k++)
            skip = strncmp(at, drop[k], strlen(drop[k])) == 0 ? strlen(drop[k]) : 0;
        if (strncmp(at, drop[3], strlen(drop[3])) == 0) {
            const char *end = strstr(at, "</desc>");
            skip = end ? (size_t)(end + 7 - at) : 0;
        }
        if (skip) {
            at += skip;
        } else if (strncmp(at, "xlink:href='#", 13) == 0 || strncmp(at, " id='", 5) == 0 ||
                   strncmp(at, " id=\"", 5) == 0) {
            const size_t length = *at == ' ' ? 5 : 13;
            (void)fprintf(to, "%.*sp%d-", (int)(*at == ' ' ? length : length - 6), *at == ' ' ? at : at + 6, number);
            at += length;
        } else if (strncmp(at, "url(#", 5) == 0) {
            (void)fprintf(to, "url(#p%d-", number);
            at += 5;
        } else {
            (void)fputc(*at++, to);
        }
    }
}

bool app_html_svg(FILE *to, const char *path, int number) {
    size_t length = 0;
    char *text = read_all(path, &length);
    const bool found = text != NULL;
    if (found)
        put_svg(to, text, number);
    free(text);
    return found;
}

static void put_base64(FILE *to, const unsigned char *bytes, size_t length) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < length; k += 3) {
        const unsigned one = (unsigned)bytes[k] << 16 | (k + 1 < length ? (unsigned)bytes[k + 1] << 8 : 0) |
                             (k + 2 < length ? (unsigned)bytes[k + 2] : 0);
        const char four[5] = {digit[one >> 18], digit[one >> 12 & 63], k + 1 < length ? digit[one >> 6 & 63] : '=',
                              k + 2 < length ? digit[one & 63] : '=', '\0'};
        (void)fputs(four, to);
    }
}

bool app_html_png(FILE *to, const char *path, const char *about) {
    size_t length = 0;
    char *bytes = read_all(path, &length);
    const bool good = bytes && length > 8 && memcmp(bytes, "\x89PNG", 4) == 0;
    if (good) {
        (void)fputs("<img alt=\"", to);
        app_html_text(to, about);
        (void)fputs("\" src=\"data:image/png;base64,", to);
        put_base64(to, (const unsigned char *)bytes, length);
        (void)fputs("\">", to);
    }
    free(bytes);
    return good;
}
