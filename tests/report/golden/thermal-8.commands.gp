reset
set term svg size 720,327 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1167
set rmargin at screen 0.5403
set tmargin at screen 0.9480
set bmargin at screen 0.8532
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 150.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'SM clock 342-1410 MHz' at screen 0.1167,0.9664 left textcolor rgb '#0072b2'
set label 3 '@0@' at screen 0.1056,0.9021 right textcolor rgb '#57606a'
set arrow 4 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD

EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5625
set rmargin at screen 0.9861
set tmargin at screen 0.9480
set bmargin at screen 0.8532
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 150.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'temperature 52-90 C' at screen 0.5625,0.9664 left textcolor rgb '#a3316f'
set arrow 3 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d2 << EOD

EOD
$d3 << EOD

EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d3 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1167
set rmargin at screen 0.5403
set tmargin at screen 0.8379
set bmargin at screen 0.7431
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 155.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@1@' at screen 0.1056,0.7920 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d4 << EOD

EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5625
set rmargin at screen 0.9861
set tmargin at screen 0.8379
set bmargin at screen 0.7431
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 155.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d5 << EOD

EOD
$d6 << EOD

EOD
plot $d5 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d5 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d6 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1167
set rmargin at screen 0.5403
set tmargin at screen 0.7278
set bmargin at screen 0.6330
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 160.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@2@' at screen 0.1056,0.6820 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d7 << EOD

EOD
plot $d7 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d7 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5625
set rmargin at screen 0.9861
set tmargin at screen 0.7278
set bmargin at screen 0.6330
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 160.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d8 << EOD

EOD
$d9 << EOD

EOD
plot $d8 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d8 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d9 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1167
set rmargin at screen 0.5403
set tmargin at screen 0.6177
set bmargin at screen 0.5229
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 165.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@3@' at screen 0.1056,0.5719 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d10 << EOD

EOD
plot $d10 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d10 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5625
set rmargin at screen 0.9861
set tmargin at screen 0.6177
set bmargin at screen 0.5229
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 165.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d11 << EOD

EOD
$d12 << EOD

EOD
plot $d11 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d11 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d12 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1167
set rmargin at screen 0.5403
set tmargin at screen 0.5076
set bmargin at screen 0.4128
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 170.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@4@' at screen 0.1056,0.4618 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d13 << EOD

EOD
plot $d13 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d13 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5625
set rmargin at screen 0.9861
set tmargin at screen 0.5076
set bmargin at screen 0.4128
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 170.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d14 << EOD

EOD
$d15 << EOD

EOD
plot $d14 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d14 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d15 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1167
set rmargin at screen 0.5403
set tmargin at screen 0.3976
set bmargin at screen 0.3028
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 175.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@5@' at screen 0.1056,0.3517 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
set arrow 4 from 400.25,256.56 to 400.25,1559.52 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d16 << EOD

EOD
plot $d16 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d16 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5625
set rmargin at screen 0.9861
set tmargin at screen 0.3976
set bmargin at screen 0.3028
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 175.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
set arrow 3 from 400.25,48.48 to 400.25,102.16 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d17 << EOD

EOD
$d18 << EOD

EOD
plot $d17 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d17 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d18 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1167
set rmargin at screen 0.5403
set tmargin at screen 0.2875
set bmargin at screen 0.1927
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 180.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@6@' at screen 0.1056,0.2416 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d19 << EOD

EOD
plot $d19 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d19 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5625
set rmargin at screen 0.9861
set tmargin at screen 0.2875
set bmargin at screen 0.1927
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 180.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d20 << EOD

EOD
$d21 << EOD

EOD
plot $d20 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d20 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d21 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1167
set rmargin at screen 0.5403
set tmargin at screen 0.1774
set bmargin at screen 0.0826
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 185.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@7@' at screen 0.1056,0.1315 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d22 << EOD

EOD
plot $d22 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d22 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5625
set rmargin at screen 0.9861
set tmargin at screen 0.1774
set bmargin at screen 0.0826
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 185.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d23 << EOD

EOD
$d24 << EOD

EOD
plot $d23 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d23 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d24 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset multiplot

set print '-'
print 'gpudx-end-1'
reset
set term svg size 356,247 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1292
set rmargin at screen 0.5281
set tmargin at screen 0.9312
set bmargin at screen 0.8462
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 150.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'SM clock 342-1410 MHz' at screen 0.1292,0.9555 left textcolor rgb '#0072b2'
set label 3 '@0@' at screen 0.1067,0.8907 right textcolor rgb '#57606a'
set arrow 4 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD

EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5730
set rmargin at screen 0.9719
set tmargin at screen 0.9312
set bmargin at screen 0.8462
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 150.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'temperature 52-90 C' at screen 0.5730,0.9555 left textcolor rgb '#a3316f'
set arrow 3 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d2 << EOD

EOD
$d3 << EOD

EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d3 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1292
set rmargin at screen 0.5281
set tmargin at screen 0.8259
set bmargin at screen 0.7409
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 155.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@1@' at screen 0.1067,0.7854 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d4 << EOD

EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5730
set rmargin at screen 0.9719
set tmargin at screen 0.8259
set bmargin at screen 0.7409
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 155.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d5 << EOD

EOD
$d6 << EOD

EOD
plot $d5 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d5 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d6 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1292
set rmargin at screen 0.5281
set tmargin at screen 0.7206
set bmargin at screen 0.6356
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 160.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@2@' at screen 0.1067,0.6802 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d7 << EOD

EOD
plot $d7 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d7 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5730
set rmargin at screen 0.9719
set tmargin at screen 0.7206
set bmargin at screen 0.6356
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 160.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d8 << EOD

EOD
$d9 << EOD

EOD
plot $d8 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d8 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d9 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1292
set rmargin at screen 0.5281
set tmargin at screen 0.6154
set bmargin at screen 0.5304
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 165.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@3@' at screen 0.1067,0.5749 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d10 << EOD

EOD
plot $d10 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d10 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5730
set rmargin at screen 0.9719
set tmargin at screen 0.6154
set bmargin at screen 0.5304
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 165.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d11 << EOD

EOD
$d12 << EOD

EOD
plot $d11 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d11 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d12 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1292
set rmargin at screen 0.5281
set tmargin at screen 0.5101
set bmargin at screen 0.4251
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 170.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@4@' at screen 0.1067,0.4696 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d13 << EOD

EOD
plot $d13 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d13 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5730
set rmargin at screen 0.9719
set tmargin at screen 0.5101
set bmargin at screen 0.4251
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 170.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d14 << EOD

EOD
$d15 << EOD

EOD
plot $d14 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d14 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d15 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1292
set rmargin at screen 0.5281
set tmargin at screen 0.4049
set bmargin at screen 0.3198
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 175.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@5@' at screen 0.1067,0.3644 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
set arrow 4 from 400.25,256.56 to 400.25,1559.52 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d16 << EOD

EOD
plot $d16 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d16 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5730
set rmargin at screen 0.9719
set tmargin at screen 0.4049
set bmargin at screen 0.3198
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 175.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
set arrow 3 from 400.25,48.48 to 400.25,102.16 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d17 << EOD

EOD
$d18 << EOD

EOD
plot $d17 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d17 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d18 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1292
set rmargin at screen 0.5281
set tmargin at screen 0.2996
set bmargin at screen 0.2146
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 180.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@6@' at screen 0.1067,0.2591 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d19 << EOD

EOD
plot $d19 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d19 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5730
set rmargin at screen 0.9719
set tmargin at screen 0.2996
set bmargin at screen 0.2146
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('' 0, '' 300)
set object 1 rect from 180.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d20 << EOD

EOD
$d21 << EOD

EOD
plot $d20 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d20 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d21 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1292
set rmargin at screen 0.5281
set tmargin at screen 0.1943
set bmargin at screen 0.1093
set xrange [0:599.75]
set yrange [256.56:1559.52]
unset ytics
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 185.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 '@7@' at screen 0.1067,0.1538 right textcolor rgb '#57606a'
set arrow 3 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d22 << EOD

EOD
plot $d22 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d22 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.5730
set rmargin at screen 0.9719
set tmargin at screen 0.1943
set bmargin at screen 0.1093
set xrange [0:599.75]
set yrange [48.48:102.16]
unset ytics
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 185.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set arrow 2 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d23 << EOD

EOD
$d24 << EOD

EOD
plot $d23 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d23 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d24 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset multiplot

set print '-'
print 'gpudx-end-2'
reset
set term svg size 356,370 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.9541
set bmargin at screen 0.7649
set xrange [0:599.75]
set yrange [256.56:1559.52]
set ytics ('500' 500, '1000' 1000, '1500' 1500)
set xtics ('' 0, '' 300)
set object 1 rect from 150.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9719,0.9703 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD

EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:599.75]
set yrange [113.16:324.22]
set ytics ('200' 200, '300' 300)
set xtics ('' 0, '' 300)
set object 1 rect from 150.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 3 'black: limit' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
$d2 << EOD

EOD
$d3 << EOD

EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#c44e00' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:599.75]
set yrange [48.48:102.16]
set ytics ('50' 50, '100' 100)
set xtics ('' 0, '' 300)
set object 1 rect from 150.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
set label 3 'dashed: memory, line: limit 85' at screen 0.9719,0.5000 right textcolor rgb '#24292f'
set arrow 4 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d4 << EOD

EOD
$d5 << EOD

EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d5 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:599.75]
set yrange [0:104]
set ytics ('0' 0, '100' 100)
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 150.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
$d6 << EOD

EOD
plot $d6 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-3'
reset
set term svg size 356,370 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.9541
set bmargin at screen 0.7649
set xrange [0:599.75]
set yrange [256.56:1559.52]
set ytics ('500' 500, '1000' 1000, '1500' 1500)
set xtics ('' 0, '' 300)
set object 1 rect from 155.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9719,0.9703 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD

EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:599.75]
set yrange [113.16:324.22]
set ytics ('200' 200, '300' 300)
set xtics ('' 0, '' 300)
set object 1 rect from 155.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 3 'black: limit' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
$d2 << EOD

EOD
$d3 << EOD

EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#c44e00' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:599.75]
set yrange [48.48:102.16]
set ytics ('50' 50, '100' 100)
set xtics ('' 0, '' 300)
set object 1 rect from 155.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
set label 3 'dashed: memory, line: limit 85' at screen 0.9719,0.5000 right textcolor rgb '#24292f'
set arrow 4 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d4 << EOD

EOD
$d5 << EOD

EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d5 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:599.75]
set yrange [0:104]
set ytics ('0' 0, '100' 100)
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 155.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
$d6 << EOD

EOD
plot $d6 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-4'
reset
set term svg size 356,370 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.9541
set bmargin at screen 0.7649
set xrange [0:599.75]
set yrange [256.56:1559.52]
set ytics ('500' 500, '1000' 1000, '1500' 1500)
set xtics ('' 0, '' 300)
set object 1 rect from 160.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9719,0.9703 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD

EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:599.75]
set yrange [113.16:324.22]
set ytics ('200' 200, '300' 300)
set xtics ('' 0, '' 300)
set object 1 rect from 160.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 3 'black: limit' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
$d2 << EOD

EOD
$d3 << EOD

EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#c44e00' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:599.75]
set yrange [48.48:102.16]
set ytics ('50' 50, '100' 100)
set xtics ('' 0, '' 300)
set object 1 rect from 160.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
set label 3 'dashed: memory, line: limit 85' at screen 0.9719,0.5000 right textcolor rgb '#24292f'
set arrow 4 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d4 << EOD

EOD
$d5 << EOD

EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d5 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:599.75]
set yrange [0:104]
set ytics ('0' 0, '100' 100)
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 160.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
$d6 << EOD

EOD
plot $d6 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-5'
reset
set term svg size 356,370 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.9541
set bmargin at screen 0.7649
set xrange [0:599.75]
set yrange [256.56:1559.52]
set ytics ('500' 500, '1000' 1000, '1500' 1500)
set xtics ('' 0, '' 300)
set object 1 rect from 165.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9719,0.9703 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD

EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:599.75]
set yrange [113.16:324.22]
set ytics ('200' 200, '300' 300)
set xtics ('' 0, '' 300)
set object 1 rect from 165.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 3 'black: limit' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
$d2 << EOD

EOD
$d3 << EOD

EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#c44e00' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:599.75]
set yrange [48.48:102.16]
set ytics ('50' 50, '100' 100)
set xtics ('' 0, '' 300)
set object 1 rect from 165.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
set label 3 'dashed: memory, line: limit 85' at screen 0.9719,0.5000 right textcolor rgb '#24292f'
set arrow 4 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d4 << EOD

EOD
$d5 << EOD

EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d5 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:599.75]
set yrange [0:104]
set ytics ('0' 0, '100' 100)
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 165.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
$d6 << EOD

EOD
plot $d6 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-6'
reset
set term svg size 356,370 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.9541
set bmargin at screen 0.7649
set xrange [0:599.75]
set yrange [256.56:1559.52]
set ytics ('500' 500, '1000' 1000, '1500' 1500)
set xtics ('' 0, '' 300)
set object 1 rect from 170.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9719,0.9703 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD

EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:599.75]
set yrange [113.16:324.22]
set ytics ('200' 200, '300' 300)
set xtics ('' 0, '' 300)
set object 1 rect from 170.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 3 'black: limit' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
$d2 << EOD

EOD
$d3 << EOD

EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#c44e00' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:599.75]
set yrange [48.48:102.16]
set ytics ('50' 50, '100' 100)
set xtics ('' 0, '' 300)
set object 1 rect from 170.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
set label 3 'dashed: memory, line: limit 85' at screen 0.9719,0.5000 right textcolor rgb '#24292f'
set arrow 4 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d4 << EOD

EOD
$d5 << EOD

EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d5 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:599.75]
set yrange [0:104]
set ytics ('0' 0, '100' 100)
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 170.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
$d6 << EOD

EOD
plot $d6 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-7'
reset
set term svg size 356,370 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.9541
set bmargin at screen 0.7649
set xrange [0:599.75]
set yrange [256.56:1559.52]
set ytics ('500' 500, '1000' 1000, '1500' 1500)
set xtics ('' 0, '' 300)
set object 1 rect from 175.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9719,0.9703 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
set arrow 5 from 400.25,256.56 to 400.25,1559.52 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 6 '@0@' at 400.25,386.856 right textcolor rgb '#6639ba'
$d1 << EOD

EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:599.75]
set yrange [113.16:324.22]
set ytics ('200' 200, '300' 300)
set xtics ('' 0, '' 300)
set object 1 rect from 175.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 3 'black: limit' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
set arrow 4 from 400.25,113.16 to 400.25,324.22 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d2 << EOD

EOD
$d3 << EOD

EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#c44e00' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:599.75]
set yrange [48.48:102.16]
set ytics ('50' 50, '100' 100)
set xtics ('' 0, '' 300)
set object 1 rect from 175.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
set label 3 'dashed: memory, line: limit 85' at screen 0.9719,0.5000 right textcolor rgb '#24292f'
set arrow 4 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
set arrow 5 from 400.25,48.48 to 400.25,102.16 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d4 << EOD

EOD
$d5 << EOD

EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d5 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:599.75]
set yrange [0:104]
set ytics ('0' 0, '100' 100)
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 175.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
set arrow 3 from 400.25,0 to 400.25,104 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d6 << EOD

EOD
plot $d6 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-8'
reset
set term svg size 356,370 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.9541
set bmargin at screen 0.7649
set xrange [0:599.75]
set yrange [256.56:1559.52]
set ytics ('500' 500, '1000' 1000, '1500' 1500)
set xtics ('' 0, '' 300)
set object 1 rect from 180.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9719,0.9703 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD

EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:599.75]
set yrange [113.16:324.22]
set ytics ('200' 200, '300' 300)
set xtics ('' 0, '' 300)
set object 1 rect from 180.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 3 'black: limit' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
$d2 << EOD

EOD
$d3 << EOD

EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#c44e00' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:599.75]
set yrange [48.48:102.16]
set ytics ('50' 50, '100' 100)
set xtics ('' 0, '' 300)
set object 1 rect from 180.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
set label 3 'dashed: memory, line: limit 85' at screen 0.9719,0.5000 right textcolor rgb '#24292f'
set arrow 4 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d4 << EOD

EOD
$d5 << EOD

EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d5 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:599.75]
set yrange [0:104]
set ytics ('0' 0, '100' 100)
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 180.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
$d6 << EOD

EOD
plot $d6 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-9'
reset
set term svg size 356,370 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.9541
set bmargin at screen 0.7649
set xrange [0:599.75]
set yrange [256.56:1559.52]
set ytics ('500' 500, '1000' 1000, '1500' 1500)
set xtics ('' 0, '' 300)
set object 1 rect from 185.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9719,0.9703 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 599.75,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD

EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:599.75]
set yrange [113.16:324.22]
set ytics ('200' 200, '300' 300)
set xtics ('' 0, '' 300)
set object 1 rect from 185.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 3 'black: limit' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
$d2 << EOD

EOD
$d3 << EOD

EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#c44e00' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:599.75]
set yrange [48.48:102.16]
set ytics ('50' 50, '100' 100)
set xtics ('' 0, '' 300)
set object 1 rect from 185.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
set label 3 'dashed: memory, line: limit 85' at screen 0.9719,0.5000 right textcolor rgb '#24292f'
set arrow 4 from 0,85 to 599.75,85 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d4 << EOD

EOD
$d5 << EOD

EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d5 using 1:2 with lines lw 1.6 dt (4,3) lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:599.75]
set yrange [0:104]
set ytics ('0' 0, '100' 100)
set xtics ('11:40' 0, '11:45' 300)
set object 1 rect from 185.25, graph 0 to 599.75, graph 1 behind fc rgb '#ef9a7a' fs solid 0.5 noborder
set label 2 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
$d6 << EOD

EOD
plot $d6 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-10'
