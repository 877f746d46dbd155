// Two unit cubes of two materials that meet at x = 1; groups of every dimension, one of them between the blocks, one
// without a name, one that overlaps two others. Written once by gmsh 4.8.4 into the files blocks_… beside this one:
//     gmsh -3 blocks.geo -order 1 -format msh22 -o blocks_22_text_1.msh      (… -order 2, -format msh41, -bin)
Point(1) = {0, 0, 0, 2}; Point(2) = {1, 0, 0, 2}; Point(3) = {1, 1, 0, 2}; Point(4) = {0, 1, 0, 2};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
a[] = Extrude {0, 0, 1} { Surface{1}; };
b[] = Extrude {1, 0, 0} { Surface{a[3]}; };
Physical Point("corner", 1) = {1};
Physical Curve("edge", 2) = {4};
Physical Surface("left", 3) = {a[5]};
Physical Surface("between", 4) = {a[3]};
Physical Surface("right end", 5) = {b[0]};
Physical Surface(9) = {1};
Physical Volume("steel", 6) = {a[1]};
Physical Volume("rubber", 7) = {b[1]};
Physical Volume("all", 8) = {a[1], b[1]};
