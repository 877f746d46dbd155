# Figure of docs/time.md: error over contact problems and over time, from work-precision.dat (bench/time_work.py). In this folder:
# gnuplot work-precision.gp. Curves are those named below; a new one needs its name, colour and point type there, and lines in the file.
set encoding utf8
set terminal svg size 1000,1900 enhanced font "DejaVu Sans,11" background rgb "white"
set output "work-precision.svg"
data = "work-precision.dat"
array curve[6] = ["moreau", "shake", "accuracy", "MuJoCo Euler", "MuJoCo RK4", "MuJoCo implicit"]
array colour[6] = ["#000000", "#d55e00", "#cc79a7", "#0072b2", "#56b4e9", "#009e73"]
array shape[6] = [7, 5, 9, 4, 6, 12]
array problem[14] = ["pendulum", "double pendulum", "chain of 20", "slider-crank", "spinning top", "sliding block", "slide to roll", \
    "bowl", "bouncing ball", "rocking block", "tilted box", "dominoes", "Painleve's rod", "cantilever"]
half_of = 7 # problems per column
rows(p, c) = sprintf("< awk -F'\"' -v p=\"%s\" -v c=\"%s\" '$2 == p && $4 == c {print $5}' %s", p, c, data)
# An empty list of rows would end the script: a curve without this problem is left out.
has(p, c) = int(system(sprintf("awk -F'\"' -v p=\"%s\" -v c=\"%s\" '$2 == p && $4 == c {n++} END {print n + 0}' %s", p, c, data)))
set multiplot layout 7,4 columnsfirst margins .065,.985,.058,.98 spacing .055,.03
set border 3
set tics nomirror out
set grid back lc rgb "#dddddd" lt 1
set logscale xy
unset mxtics
unset mytics
set format "10^{%T}"
set ytics 100
set xtics 10
set key off
do for [half = 0:1] { do for [x = 1:2] { do for [k = 1 + half_of * half:half_of * (1 + half)] {
    set title problem[k] offset 0,-.7
    set xlabel (k % half_of ? "" : x == 1 ? "contact problems, evaluations" : "time, s") offset 0,.5
    set ylabel (x == 1 && half == 0 ? "error, m" : "") offset 1
    lines = ""
    do for [c = 1:6] { if (has(problem[k], curve[c])) {
        lines = lines . sprintf("%s rows(problem[%d], curve[%d]) using %d:3 with linespoints lw 1.4 ps .6 pt shape[%d] lc rgb colour[%d] notitle", strlen(lines) ? "," : "", k, c, x, c, c)
    } }
    if (half == 1 && x == 2 && k == 2 * half_of) {
        do for [c = 1:6] { set label c curve[c] at screen .15 * c - .08,.012 point pt shape[c] ps .8 lc rgb colour[c] offset 1,0 }
    }
    eval("plot " . lines)
} } }
unset multiplot
