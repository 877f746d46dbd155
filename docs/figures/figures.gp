# Figures of exact-coulomb.md; in this folder: gnuplot figures.gp
#
# The data, from the root of the repository (DATA: the folder with problems/ and piles/):
#     docs/figures/sliding_block.py build/app/voussoir > docs/figures/sliding-block.dat
#     docs/figures/central_path.py DATA/piles/pile-00064.hdf5 --mu 1 --longest 1.5 > docs/figures/central-path.dat
set encoding utf8
set terminal svg size 760,320 noenhanced font "DejaVu Sans,12" background rgb "white"
relaxed = "#c0392b"
exact = "#1f5fa8"
set border 3
set tics nomirror out
set grid back lc rgb "#dddddd" lt 1

# ---- relaxed and exact: one block, step by step ------------------------------------------------------
set output "sliding-block.svg"
set multiplot layout 1,2 margins .1,.98,.21,.9 spacing .12
set xrange [0:.8]
set xlabel "time, s"
set ylabel "gap under the block, mm"
set yrange [-1:20]
set key top right
plot "sliding-block.dat" using 1:2 with lines lw 2 lc rgb relaxed title "relaxed", \
     "" using 1:3 with lines lw 2 lc rgb exact title "exact"
set ylabel "speed, m/s"
set yrange [0:2.1]
plot "sliding-block.dat" using 1:4 with lines lw 2 lc rgb relaxed title "relaxed", \
     "" using 1:5 with lines lw 2 lc rgb exact title "exact"
unset multiplot

# ---- folds -------------------------------------------------------------------------------------------
# One contact, N = [1 .8 0; .8 1 0; 0 0 1], r = (r_n, 1, 0), mu = 2:
#     separation l = 0 (r_n >= 0); stick N l = -r; slide l_n = r_n / (.8 mu - 1) as long as it does not stick
mu = 2.
stick(x) = -(x - .8) / .36
slide(x) = x / (.8 * mu - 1)
meet = 1 / (mu * 1. - .8) * (.8 * mu - 1) # r_n at which the sliding speed is zero
set output "folds.svg"
set multiplot layout 1,2 margins .1,.98,.21,.9 spacing .12
set samples 400
set xrange [-.3:.8]
set yrange [-.2:3.2]
set xlabel "r_n, free normal velocity"
set ylabel "l_n, normal impulse"
set title "multiple solutions for the same data: one contact, μ = 2" font ",11"
set key top right
plot [-.3:.8] (x >= 0 ? 0 : NaN) with lines lw 3 lc rgb "#2e8b57" title "separation", \
     (x <= meet ? stick(x) : NaN) with lines lw 3 lc rgb exact title "sticking", \
     (x >= 0 && x <= meet ? slide(x) : NaN) with lines lw 3 lc rgb relaxed title "sliding"
set title "central path of a pile: 186 contacts, μ = 1" font ",11"
set xrange [0:250]
set yrange [1e-4:2]
set logscale y
set format y "1e%T"
set xlabel "arclength"
set ylabel "t"
before = 1 # sign of the point before: a red part reaches from the last blue point to the next one
red(t, sign) = (value = sign < 0 || before < 0 ? t : NaN, before = sign, value)
plot "central-path.dat" using 1:2 with lines lw 2 lc rgb exact title "det > 0: t falls", \
     "" using 1:(red($2, $3)) with lines lw 4 lc rgb relaxed title "det < 0: t rises"
unset multiplot
