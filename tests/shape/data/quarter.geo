// A quarter of a cylinder, radius 1, height 0.5, with curved elements and everything saved: nodes with coordinates on
// the geometry, and elements in no group. Written once by gmsh 4.8.4:
//     gmsh -3 quarter.geo -order 2 -format msh41 -o quarter_41_text_2.msh
Mesh.SaveAll = 1;
Mesh.SaveParametric = 1;
Point(1) = {0, 0, 0, 1}; Point(2) = {1, 0, 0, 1}; Point(3) = {0, 1, 0, 1}; Point(4) = {0, 0, -1, 1};
Line(1) = {1, 2}; Circle(2) = {2, 1, 3}; Line(3) = {3, 1};
Curve Loop(1) = {1, 2, 3}; Plane Surface(1) = {1};
a[] = Extrude {0, 0, 0.5} { Surface{1}; };
Physical Surface("round", 1) = {a[3]};
