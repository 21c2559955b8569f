"""Programs of the card. They decide what a pixel shows by the rules of `kernels/picture/`, in float64.

The card's own rasterizer moves corners to a grid, on most cards of 1/256 pixel, so pixels at outlines would differ. Here it
only fills a box of pixels around each face. The program of a pixel then tests its center (`kernels/picture/paint.py`), or for
bounding pictures its whole cell (`kernels/picture/cover.py`), and computes the depth. The Z-buffer keeps the nearest.

Coordinates: x in columns, y in image rows, w the depth [length]. A pixel's result has 16 bytes: 2 * face, + 1 if seen from the
back; body row; and its depth as float64. `precise` forbids fused operations: neighbors get opposite values at their edge.
"""

from string import Template

from ..kernels.tolerances import EPS, ROD_MARGIN

BLANK_VERTEX = """#version 430
void main() {
    gl_Position = vec4(vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0), 0.0, 1.0);
}
"""

BLANK_FRAGMENT = """#version 430
uniform float cleared;
out uvec4 result;
void main() {
    gl_FragDepth = cleared;
    result = uvec4(0xFFFFFFFFu, 0xFFFFFFFFu, 0u, 0x7FF00000u);  // no body; infinity as float64
}
"""

VERTEX = """#version 430
in dvec3 place;  // relative to the shape's center
in dvec4 to_x;  // rows of the matrix to image coordinates, one matrix for each body
in dvec4 to_y;
in dvec4 to_w;
in dvec3 sizes;  // radius, and rounding of a coordinate in pixels and in depth
in uint row;
out Corner { precise dvec3 at; dvec3 sizes; uint row; } corner;
void main() {
    corner.at.x = to_x.x * place.x + to_x.y * place.y + to_x.z * place.z + to_x.w;
    corner.at.y = to_y.x * place.x + to_y.y * place.y + to_y.z * place.z + to_y.w;
    corner.at.z = to_w.x * place.x + to_w.y * place.y + to_w.z * place.z + to_w.w;
    corner.sizes = sizes;
    corner.row = row;
}
"""

_COMMON = """#version 430
uniform ivec2 pixels;  // columns, rows
uniform dvec2 across;  // width and height of a pixel
uniform dvec2 range;  // least depth that counts at any pixel, and the greatest
uniform double rim;
"""

_GEOMETRY = Template(
    _COMMON
    + """
layout(triangles) in;
layout(triangle_strip, max_vertices = 4) out;
in Corner { precise dvec3 at; dvec3 sizes; uint row; } corner[];
flat out dvec3 a, b, c;
flat out dvec3 sizes;
flat out uvec2 mark;

void main() {
    dvec3 wide = corner[0].sizes;
    double r = wide.x;
#if $bounding
    if (r > 0.0) r += wide.z + wide.y * max(across.x, across.y);
    dvec3 spare = r > 0.0 ? dvec3(r / across.x, r / across.y, r) : wide.yyz;
#else
    dvec3 spare = dvec3(r / across.x, r / across.y, r);
#endif
    dvec3 low = min(corner[0].at, min(corner[1].at, corner[2].at)) - spare;
    dvec3 high = max(corner[0].at, max(corner[1].at, corner[2].at)) + spare;
    if (!(high.z >= range.x && low.z <= range.y)) return;
#if $bounding
    dvec2 edge = rim / across;
    if (any(lessThan(high.xy, edge)) || any(greaterThan(low.xy, dvec2(pixels) - edge))) return;
    dvec2 first = max(ceil(low.xy) - 1.0, dvec2(0.0));
    dvec2 last = min(floor(high.xy), dvec2(pixels - 1));
#else
    dvec2 first = ceil(max(low.xy - 0.5, dvec2(0.0)));
    dvec2 last = floor(min(high.xy - 0.5, dvec2(pixels - 1)));
#endif
    if (!(first.x <= last.x && first.y <= last.y)) return;
    vec2 begin = vec2(2.0 * first / dvec2(pixels) - 1.0);
    vec2 end = vec2(2.0 * (last + 1.0) / dvec2(pixels) - 1.0);
    for (int k = 0; k < 4; ++k) {
        a = corner[0].at;
        b = corner[1].at;
        c = corner[2].at;
        sizes = dvec3(r, wide.y, wide.z);
        mark = uvec2(2 * gl_PrimitiveIDIn, corner[0].row);
        gl_Position = vec4((k & 1) == 0 ? begin.x : end.x, (k & 2) == 0 ? begin.y : end.y, 0.0, 1.0);
        EmitVertex();
    }
    EndPrimitive();
}
"""
)

_FRAGMENT = Template(
    _COMMON
    + """
uniform dvec2 ends;  // depths at the ends of the Z-buffer
uniform bool floored;  // each pixel has its own least depth
uniform bool filled;  // a ray that begins inside a round shape meets it at once
uniform bool farthest;  // bounding: keep the greatest depth in a cell, not the least
uniform usampler2D floors;
flat in dvec3 a, b, c;
flat in dvec3 sizes;
flat in uvec2 mark;
out uvec4 result;

const double INF = packDouble2x32(uvec2(0u, 0x7FF00000u));

void keep(double w, bool back) {
    gl_FragDepth = float((w - ends.x) / (ends.y - ends.x));
    result = uvec4(mark.x + (back ? 1u : 0u), mark.y, unpackDouble2x32(w));
}

double floor_here() {
    if (!floored) return range.x;
    return packDouble2x32(texelFetch(floors, ivec2(gl_FragCoord.xy), 0).xy);
}

$body
"""
)

_SAMPLED = """
precise double e0, e1, e2, area, sum, w;

// Depths at which the ray through a center that is in line with an edge meets it; (INF, -INF) beside it.
dvec2 on_edge(dvec2 center, dvec3 p, dvec3 q) {
    if (any(lessThan(center, min(p.xy, q.xy))) || any(greaterThan(center, max(p.xy, q.xy)))) return dvec2(INF, -INF);
    dvec2 d = q.xy - p.xy;
    if (d.x == 0.0 && d.y == 0.0) return dvec2(min(p.z, q.z), max(p.z, q.z));
    double t = abs(d.x) >= abs(d.y) ? (center.x - p.x) / d.x : (center.y - p.y) / d.y;
    double w = (1.0 - t) * p.z + t * q.z;
    return dvec2(w, w);
}

void edge_on(dvec2 center, double begin) {
    if (e0 != 0.0 || e1 != 0.0 || e2 != 0.0) discard;
    dvec2 p = on_edge(center, a, b);
    dvec2 q = on_edge(center, b, c);
    dvec2 r = on_edge(center, c, a);
    if (!(max(p.y, max(q.y, r.y)) >= begin)) discard;
    double enter = max(min(p.x, min(q.x, r.x)), begin);
    if (!(enter <= range.y)) discard;
    keep(enter, false);
}

void triangle(dvec2 center, double begin) {
    precise dvec2 u0 = a.xy - center;
    precise dvec2 u1 = b.xy - center;
    precise dvec2 u2 = c.xy - center;
    e0 = u1.x * u2.y - u1.y * u2.x;
    e1 = u2.x * u0.y - u2.y * u0.x;
    e2 = u0.x * u1.y - u0.y * u1.x;
    if (!(min(e0, min(e1, e2)) >= 0.0 || max(e0, max(e1, e2)) <= 0.0)) discard;
    area = e0 + e1 + e2;
    if (area == 0.0) {
        edge_on(center, begin);
        return;
    }
    sum = e0 * a.z + e1 * b.z + e2 * c.z;
    w = sum / area;
    if (!(w >= begin && w <= range.y)) discard;
    keep(w, area >= 0.0);
}

// The span of a ray in a ball that is `off` away from it, joined with another span.
dvec2 with_ball(dvec2 span, dvec2 off, double deep, double r) {
    double rho = sqrt(off.x * off.x + off.y * off.y);
    if (rho > r) return span;
    double reach = sqrt((r - rho) * (r + rho));
    return dvec2(min(span.x, deep - reach), max(span.y, deep + reach));
}

void round_shape(dvec2 center, double begin) {
    double r = sizes.x;
    dvec2 off = (center - a.xy) * across;
    dvec2 span = with_ball(dvec2(INF, -INF), off, a.z, r);
    dvec3 d = dvec3((b.xy - a.xy) * across, b.z - a.z);
    if (a != b) {
        span = with_ball(span, off - d.xy, b.z, r);
        double size = sqrt(d.x * d.x + d.y * d.y);
        double beside = size > 0.0 ? abs(off.x * d.y - off.y * d.x) / size : INF;
        if (beside <= r) {
            double along = (off.x * d.x + off.y * d.y) / size;
            double tilt = d.z / size;
            double middle = a.z + tilt * along;
            double reach = sqrt((r - beside) * (r + beside)) * sqrt(1.0 + tilt * tilt);
            // The barrel counts only beside the segment, not beyond its ends.
            double enter = (along + tilt * (middle - reach - a.z)) / (size + tilt * d.z);
            double leave = (along + tilt * (middle + reach - a.z)) / (size + tilt * d.z);
            if (enter >= 0.0 && enter <= 1.0) span = dvec2(min(span.x, middle - reach), max(span.y, middle - reach));
            if (leave >= 0.0 && leave <= 1.0) span = dvec2(min(span.x, middle + reach), max(span.y, middle + reach));
        }
    }
    if (!(span.x <= span.y)) discard;
    bool inside = span.x < begin;
    double w = !inside ? span.x : filled && span.y > begin ? begin : span.y;
    if (!(w >= begin && w <= range.y)) discard;
    keep(w, inside);
}

void main() {
    dvec2 center = dvec2(gl_FragCoord.xy);
    if (sizes.x > 0.0) round_shape(center, floor_here());
    else triangle(center, floor_here());
}
"""

_BOUNDING = Template("""
precise double low, high;

// What lies between depths `low` and `high` in a cell, if it may be in the view.
void keep_range() {
    if (!(high >= floor_here() && low <= range.y)) discard;
    keep(farthest ? high : max(low, 0.0), false);
}

// The largest value over a cell of the signed side of an edge.
double edge_at(dvec2 center, dvec3 p, dvec3 q) {
    precise dvec2 d = q.xy - p.xy;
    precise double side = d.x * (center.y - p.y) - d.y * (center.x - p.x) + 0.5 * (abs(d.x) + abs(d.y));
    return side;
}

void triangle(dvec2 center) {
    double spread = sizes.y;
    double deep = sizes.z;
    low = min(a.z, min(b.z, c.z)) - deep;
    high = max(a.z, max(b.z, c.z)) + deep;
    dvec3 p = a, q = b, r = c;
    double area = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    if (area < 0.0) {
        q = c;
        r = b;
        area = -area;
    }
    double reach = max(abs(q.x - p.x), max(abs(r.x - p.x), abs(r.x - q.x)));
    reach += max(abs(q.y - p.y), max(abs(r.y - p.y), abs(r.y - q.y)));
    double side = 2.0 * spread * (reach + 2.0);
    if (edge_at(center, p, q) < -side || edge_at(center, q, r) < -side || edge_at(center, r, p) < -side) discard;
    if (area > 0.0) {
        double u = ((q.z - p.z) * (r.y - p.y) - (r.z - p.z) * (q.y - p.y)) / area;
        double v = ((r.z - p.z) * (q.x - p.x) - (q.z - p.z) * (r.x - p.x)) / area;
        double steep = abs(u) + abs(v);
        // Effect of rounding on the plane, over the cells that the triangle touches.
        double moved = spread + 2.0 * EPS * reach;
        double tilt = (reach + 2.0) * (2.0 * deep * reach + 4.0 * moved * (high - low + reach * steep)) / area;
        if (tilt < high - low) {
            double lean = 0.5 * steep + steep * spread + tilt + deep;
            double w = p.z + u * (center.x - p.x) + v * (center.y - p.y);
            low = max(low, w - lean);
            high = min(high, w + lean);
        }
    }
    keep_range();
}

void ball(dvec2 center) {
    double r = sizes.x;
    dvec2 off = max(abs(center - a.xy) - 0.5, dvec2(0.0)) * across;
    double rest = r * r - off.x * off.x - off.y * off.y;
    if (!(rest >= 0.0)) discard;
    double reach = sqrt(rest);
    low = a.z - reach;
    high = a.z + reach;
    keep_range();
}

void rod(dvec2 center) {
    double r = sizes.x;
    dvec2 beside = 0.5 + r / across;
    dvec2 d = b.xy - a.xy;
    double first = 0.0;
    double last = 1.0;
    for (int k = 0; k < 2; ++k) {
        if (d[k] == 0.0) continue;
        double p = (center[k] - beside[k] - a[k]) / d[k];
        double q = (center[k] + beside[k] - a[k]) / d[k];
        first = max(first, min(p, q) - MARGIN);
        last = min(last, max(p, q) + MARGIN);
    }
    if (!(first <= last)) discard;
    double p = a.z + first * (b.z - a.z);
    double q = a.z + last * (b.z - a.z);
    low = min(p, q) - r;
    high = max(p, q) + r;
    keep_range();
}

void main() {
    dvec2 center = dvec2(gl_FragCoord.xy);
    if (sizes.x == 0.0) triangle(center);
    else if (a == b) ball(center);
    else rod(center);
}
""")


def sources(*, bounding: bool) -> dict[str, str]:
    """Return the programs of faces, as moderngl takes them: what pixels show at their centers, or in their whole cells."""
    constants = f"const double EPS = {EPS!r}lf;\nconst double MARGIN = {ROD_MARGIN!r}lf;\n"
    body = constants + _BOUNDING.substitute() if bounding else _SAMPLED
    return {
        "vertex_shader": VERTEX,
        "geometry_shader": _GEOMETRY.substitute(bounding=int(bounding)),
        "fragment_shader": _FRAGMENT.substitute(body=body),
    }
