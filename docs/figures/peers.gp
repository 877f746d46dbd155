# Figure of README.md: scenes in voussoir and in other physics engines, from bench/results/peers.md; in this folder: gnuplot peers.gp
set encoding utf8
set terminal svg size 900,560 enhanced font "DejaVu Sans,12" background rgb "white"
set output "peers.svg"
engines = "voussoir voussoir-fine mujoco mujoco-stiff ode ode-quick bullet-si bullet-dantzig"
colours = "#000000 #777777 #0072b2 #56b4e9 #d55e00 #e69f00 #009e73 #cc79a7"
shapes = "7 6 5 4 9 8 13 12"
# Step error and milliseconds of processor of one engine in one scene
row(scene, engine) = sprintf("< awk -F'|' '/^## /{on = index($0, \"## %s\") == 1} on && $2 == \" %s \" {print $13, $10}' ../../bench/results/peers.md", scene, engine)
set multiplot layout 2,2 margins .1,.8,.1,.93 spacing .09,.17
set border 3
set tics nomirror out
set grid back lc rgb "#dddddd" lt 1
set logscale xy
unset mxtics
unset mytics
set format "10^{%T}"
set ytics 1e2
set xtics 10
set yrange [1e-10:1e2]
set xrange [3e-3:1e2]
set title offset 0,-.6
array scene[4] = ["balls-in-box", "brick-wall", "kapla-tower", "guided-stack"]
array name[4] = ["64 balls falling into a box", "brick wall, 23 bricks", "Kapla tower, 20 planks", "stack of 5, each 10 times heavier"]
do for [k = 1:4] {
    set title name[k]
    set xlabel (k > 2 ? "processor time per step, ms" : "") offset 0,.4
    set ylabel (k % 2 ? "error per step, relative" : "") offset 0.2
    if (k == 2) { set key at screen .82,.9 left top Left reverse vertical maxrows 8 maxcols 1 samplen .5 spacing 1.2 } else { set key off }
    plot for [e = 1:8] row(scene[k], word(engines, e)) with points pt int(word(shapes, e)) ps (e <= 2 ? 1.5 : 1.1) lw 1.6 lc rgb word(colours, e) title word(engines, e)
}
unset multiplot
