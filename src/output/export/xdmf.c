// The XDMF (version 2) description of an export: bodies, shapes and contacts are each a collection over time of grids
// of points, flexible solids one of tetrahedra. Numbers stay in the HDF5 file next to it. Adapted to ParaView's reader:
// one dataset per frame (it shows nothing for parts of a dataset), three separate collections (in a collection of
// collections names change with time), no grid in a frame without points (an empty one is an error).
#include "output/trajectory/trajectory_data.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
void vs_xdmf_frame_name(int64_t frame, char name[24]) {
    (void)snprintf(name, 24, "%06lld", (long long)frame);
}

// File names may contain special characters of XML.
static void put_text(FILE *to, const char *text) {
    for (; *text; text++) {
        const char *instead = *text == '&'   ? "&amp;"
                              : *text == '<' ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '"' ? "&quot;"
                                             : NULL;
        if (instead)
            (void)fputs(instead, to);
        else
            (void)fputc(*text, to);
    }
}

static void put_item(FILE *to, const char *data, const vs_xdmf_array *array, int64_t points, int64_t frame) {
    char number[24] = "";
    if (array->each_frame)
        vs_xdmf_frame_name(frame, number);
    (void)fprintf(to, "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%zu\" Dimensions=\"%lld",
                  array->number == VS_NUMBER_DOUBLE ? "Float" : "Int", vs_number_size(array->number),
                  (long long)points);
    if (array->width > 1)
        (void)fprintf(to, " %d", array->width);
    (void)fputs("\">", to);
    put_text(to, data);
    (void)fprintf(to, ":/%s%s</DataItem>", array->path, number);
}

// Three numbers are a vector to ParaView, four or more a matrix: a quaternion.
static const char *attribute_type(int width) {
    return width == 1 ? "Scalar" : width == 3 ? "Vector" : "Matrix";
}

// 17 digits with a decimal point in any locale.
static void put_number(FILE *to, double x) {
    char text[40];
    (void)snprintf(text, sizeof text, "%.17g", x);
    for (char *at = text; *at; at++)
        if (!strchr("0123456789+-eEinfa", *at))
            *at = '.';
    (void)fputs(text, to);
}

static void put_grid(FILE *to, const char *data, const vs_xdmf_grid *grid, int64_t frame, double time) {
    const int64_t points = grid->points[frame];
    (void)fprintf(to, "      <Grid Name=\"%s\" GridType=\"Uniform\">\n        <Time Value=\"", grid->name);
    put_number(to, time);
    if (grid->cells) {
        (void)fprintf(to, "\"/>\n        <Topology TopologyType=\"%s\" NumberOfElements=\"%lld\">", grid->cells,
                      (long long)grid->cell_count);
        put_item(to, data, &grid->cell, grid->cell_count, frame);
        (void)fputs("</Topology>\n", to);
    } else {
        (void)fprintf(to, "\"/>\n        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%lld\"/>\n",
                      (long long)points);
    }
    (void)fputs("        <Geometry GeometryType=\"XYZ\">", to);
    put_item(to, data, &grid->array[0], points, frame);
    (void)fputs("</Geometry>\n", to);
    for (const vs_xdmf_array *array = grid->array + 1; array->name; array++) {
        (void)fprintf(to, "        <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">", array->name,
                      attribute_type(array->width));
        put_item(to, data, array, points, frame);
        (void)fputs("</Attribute>\n", to);
    }
    (void)fputs("      </Grid>\n", to);
}

// A collection without any grid is an error as well.
static bool has_points(const vs_xdmf_grid *grid, int64_t frames) {
    for (int64_t k = 0; k < frames; k++)
        if (grid->points[k] > 0)
            return true;
    return false;
}

vs_error vs_xdmf_write(vs_context *context, const char *path, const char *data, int64_t frames, const double *time,
                       const vs_xdmf_grid *grid, int grids) {
    FILE *to = vs_path_stream(path, "w");
    if (!to)
        return vs_fail(context, VS_ERROR_IO, "cannot be created: %s", strerror(errno));
    (void)fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.2\">\n  <Domain>\n", to);
    for (int g = 0; g < grids; g++) {
        if (!has_points(&grid[g], frames))
            continue;
        (void)fprintf(to, "    <Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", grid[g].name);
        for (int64_t k = 0; k < frames; k++)
            if (grid[g].points[k] > 0)
                put_grid(to, data, &grid[g], k, time[k]);
        (void)fputs("    </Grid>\n", to);
    }
    (void)fputs("  </Domain>\n</Xdmf>\n", to);
    const bool good = !ferror(to);
    return fclose(to) == 0 && good ? VS_OK : vs_fail(context, VS_ERROR_IO, "could not be written");
}
