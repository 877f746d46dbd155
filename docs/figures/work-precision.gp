# Figure of docs/time.md: error over contact problems and over time, from work-precision.dat (bench/time_work.py). In this folder:
# gnuplot work-precision.gp. Curves are those named below; a new one needs its name, colour and point type there, and lines in the file.
set encoding utf8
set terminal svg size 1000,1120 enhanced font "DejaVu Sans,11" background rgb "white"
set output "work-precision.svg"
data = "work-precision.dat"
array curve[6] = ["moreau", "shake", "accuracy", "MuJoCo Euler", "MuJoCo RK4", "MuJoCo implicit"]
array colour[6] = ["#000000", "#d55e00", "#cc79a7", "#0072b2", "#56b4e9", "#009e73"]
array shape[6] = [7, 5, 9, 4, 6, 12]
array problem[8] = ["pendulum", "double pendulum", "chain of 20", "spinning top", "sliding block", "slide to roll", "rocking block", "dominoes"]
rows(p, c) = sprintf("< awk -F'\"' '$2 == \"%s\" && $4 == \"%s\" {print $5}' %s", p, c, data)
# An empty list of rows would end the script: a curve without this problem is left out.
has(p, c) = int(system(sprintf("awk -F'\"' '$2 == \"%s\" && $4 == \"%s\" {n++} END {print n + 0}' %s", p, c, data)))
set multiplot layout 4,4 columnsfirst margins .065,.985,.095,.965 spacing .055,.05
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
do for [half = 0:1] { do for [x = 1:2] { do for [k = 1 + 4 * half:4 + 4 * half] {
    set title problem[k] offset 0,-.7
    set xlabel (k % 4 ? "" : x == 1 ? "contact problems, evaluations" : "time, s") offset 0,.5
    set ylabel (x == 1 && half == 0 ? "error, m" : "") offset 1
    lines = ""
    do for [c = 1:6] { if (has(problem[k], curve[c])) {
        lines = lines . sprintf("%s rows(problem[%d], curve[%d]) using %d:3 with linespoints lw 1.4 ps .6 pt shape[%d] lc rgb colour[%d] notitle", strlen(lines) ? "," : "", k, c, x, c, c)
    } }
    if (half == 1 && x == 2 && k == 8) {
        do for [c = 1:6] { set label c curve[c] at screen .15 * c - .08,.022 point pt shape[c] ps .8 lc rgb colour[c] offset 1,0 }
    }
    eval("plot " . lines)
} } }
unset multiplot
