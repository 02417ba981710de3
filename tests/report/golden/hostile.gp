reset
set term svg size 720,120 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1250
set rmargin at screen 0.9889
set tmargin at screen 0.9333
set bmargin at screen 0.1833
set xrange [0:120.6]
set yrange [0:3]
unset ytics
set xtics ('15:05:45' 4, '15:06:00' 19, '15:06:15' 34, '15:06:30' 49, '15:06:45' 64, '15:07:00' 79, '15:07:15' 94, '15:07:30' 109)
set label 1 '@0@' at screen 0.1139,0.7833 right textcolor rgb '#57606a'
set arrow 2 from 0,2.4 to 120.6,2.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 3 from 60,2.2 to 60,2.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 4 '@1@' at 60,2.74 left textcolor rgb '#1b1f24'
set label 5 '@2@' at screen 0.1139,0.5333 right textcolor rgb '#57606a'
set arrow 6 from 0,1.4 to 120.6,1.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 7 from 60.6,1.2 to 60.6,1.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 8 '@3@' at 60.6,1.74 left textcolor rgb '#1b1f24'
set label 9 '@4@' at screen 0.1139,0.2833 right textcolor rgb '#57606a'
set arrow 10 from 0,0.4 to 120.6,0.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 11 from 60.5,0.2 to 60.5,0.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 12 '@5@' at 60.5,0.74 left textcolor rgb '#1b1f24'
plot NaN
unset multiplot

set print '-'
print 'gpudx-end-1'
reset
set term svg size 356,120 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.1854
set rmargin at screen 0.9775
set tmargin at screen 0.9333
set bmargin at screen 0.1833
set xrange [0:120.6]
set yrange [0:3]
unset ytics
set xtics ('15:06' 19, '15:07' 79)
set label 1 '@0@' at screen 0.1629,0.7833 right textcolor rgb '#57606a'
set arrow 2 from 0,2.4 to 120.6,2.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 3 from 60,2.2 to 60,2.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 4 '@1@' at 60,2.74 left textcolor rgb '#1b1f24'
set label 5 '@2@' at screen 0.1629,0.5333 right textcolor rgb '#57606a'
set arrow 6 from 0,1.4 to 120.6,1.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 7 from 60.6,1.2 to 60.6,1.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 8 '@3@' at 60.6,1.74 left textcolor rgb '#1b1f24'
set label 9 '@4@' at screen 0.1629,0.2833 right textcolor rgb '#57606a'
set arrow 10 from 0,0.4 to 120.6,0.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 11 from 60.5,0.2 to 60.5,0.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 12 '@5@' at 60.5,0.74 left textcolor rgb '#1b1f24'
plot NaN
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
set xrange [0:2]
set yrange [-1635.6:1804.8]
set ytics ('-1000' -1000, '0' 0, '1000' 1000)
set xtics ('' 0, '' 1, '' 2)
set object 1 rect from 0, graph 0 to 1, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set object 2 rect from 0.5, graph 0 to 2, graph 1 behind fc rgb '#b9b4d8' fs solid 0.5 noborder
set label 3 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
set arrow 4 from 1,-1635.6 to 1,1804.8 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 5 '@0@' at 1,-1291.56 left textcolor rgb '#6639ba'
$d1 << EOD
0 1410 1410 1410
1 -1410 -1410 -1410
2 0 0 0
EOD
plot $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', $d1 using 1:2 with points pt 7 ps 0.35 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:2]
set yrange [0:342]
set ytics ('0' 0, '200' 200)
set xtics ('' 0, '' 1, '' 2)
set object 1 rect from 0, graph 0 to 1, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set object 2 rect from 0.5, graph 0 to 2, graph 1 behind fc rgb '#b9b4d8' fs solid 0.5 noborder
set label 3 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 4 'black: limit' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
set arrow 5 from 1,0 to 1,342 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d2 << EOD
2 0 0 0
EOD
$d3 << EOD
2 0 0 0
EOD
plot $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d2 using 1:2 with points pt 7 ps 0.35 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', $d3 using 1:2 with points pt 7 ps 0.35 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:2]
set yrange [0:46.74]
set ytics ('0' 0, '25' 25)
set xtics ('' 0, '' 1, '' 2)
set object 1 rect from 0, graph 0 to 1, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set object 2 rect from 0.5, graph 0 to 2, graph 1 behind fc rgb '#b9b4d8' fs solid 0.5 noborder
set label 3 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
set arrow 4 from 1,0 to 1,46.74 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d4 << EOD
1 0 0 0
2 0 0 0
EOD
plot $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d4 using 1:2 with points pt 7 ps 0.35 lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:2]
set yrange [0:101]
set ytics ('0' 0, '100' 100)
set xtics ('15:06:40' 0, '15:06:41' 1, '' 2)
set object 1 rect from 0, graph 0 to 1, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set object 2 rect from 0.5, graph 0 to 2, graph 1 behind fc rgb '#b9b4d8' fs solid 0.5 noborder
set label 3 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
set arrow 4 from 1,0 to 1,101 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d5 << EOD
1 101 101 101
2 0 0 0
EOD
plot $d5 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', $d5 using 1:2 with points pt 7 ps 0.35 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-3'
reset
set term svg size 720,426 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.9601
set bmargin at screen 0.7629
set xrange [0:2]
set yrange [-1635.6:1804.8]
set ytics ('-1000' -1000, '0' 0, '1000' 1000)
set xtics ('' 0, '' 1, '' 2)
set object 1 rect from 0, graph 0 to 1, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set object 2 rect from 0.5, graph 0 to 2, graph 1 behind fc rgb '#b9b4d8' fs solid 0.5 noborder
set label 3 'SM clock, MHz' at screen 0.0528,0.9742 left textcolor rgb '#0072b2'
set arrow 4 from 1,-1635.6 to 1,1804.8 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 5 '@0@' at 1,-1291.56 left textcolor rgb '#6639ba'
$d1 << EOD
0 1410 1410 1410
1 -1410 -1410 -1410
2 0 0 0
EOD
plot $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', $d1 using 1:2 with points pt 7 ps 0.35 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.7230
set bmargin at screen 0.5258
set xrange [0:2]
set yrange [0:342]
set ytics ('0' 0, '200' 200)
set xtics ('' 0, '' 1, '' 2)
set object 1 rect from 0, graph 0 to 1, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set object 2 rect from 0.5, graph 0 to 2, graph 1 behind fc rgb '#b9b4d8' fs solid 0.5 noborder
set label 3 'power, W' at screen 0.0528,0.7371 left textcolor rgb '#c44e00'
set label 4 'black: limit' at screen 0.9861,0.7371 right textcolor rgb '#24292f'
set arrow 5 from 1,0 to 1,342 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d2 << EOD
2 0 0 0
EOD
$d3 << EOD
2 0 0 0
EOD
plot $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d2 using 1:2 with points pt 7 ps 0.35 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', $d3 using 1:2 with points pt 7 ps 0.35 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.4859
set bmargin at screen 0.2887
set xrange [0:2]
set yrange [0:46.74]
set ytics ('0' 0, '20' 20, '40' 40)
set xtics ('' 0, '' 1, '' 2)
set object 1 rect from 0, graph 0 to 1, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set object 2 rect from 0.5, graph 0 to 2, graph 1 behind fc rgb '#b9b4d8' fs solid 0.5 noborder
set label 3 'temperature, C' at screen 0.0528,0.5000 left textcolor rgb '#a3316f'
set arrow 4 from 1,0 to 1,46.74 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d4 << EOD
1 0 0 0
2 0 0 0
EOD
plot $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d4 using 1:2 with points pt 7 ps 0.35 lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.2488
set bmargin at screen 0.0516
set xrange [0:2]
set yrange [0:101]
set ytics ('0' 0, '50' 50, '100' 100)
set xtics ('15:06:40' 0, '15:06:41' 1, '' 2)
set object 1 rect from 0, graph 0 to 1, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set object 2 rect from 0.5, graph 0 to 2, graph 1 behind fc rgb '#b9b4d8' fs solid 0.5 noborder
set label 3 'busy, %' at screen 0.0528,0.2629 left textcolor rgb '#00755a'
set arrow 4 from 1,0 to 1,101 nohead lw 1.2 dt 1 lc rgb '#6639ba'
$d5 << EOD
1 101 101 101
2 0 0 0
EOD
plot $d5 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', $d5 using 1:2 with points pt 7 ps 0.35 lc rgb '#00755a', NaN
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
set xrange [0:1]
set yrange [-1635.6:1804.8]
set ytics ('-1000' -1000, '0' 0, '1000' 1000)
set xtics ('' 0, '' 0.5, '' 1)
set label 1 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
$d1 << EOD
0 1405 1400 1410
EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', $d1 using 1:2 with points pt 7 ps 0.35 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:1]
set yrange [0:342]
set ytics ('0' 0, '200' 200)
set xtics ('' 0, '' 0.5, '' 1)
set label 1 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 2 'black: limit' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
$d2 << EOD
0 100.5 100 101
EOD
$d3 << EOD
0 300 300 300
EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#c44e00' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d2 using 1:2 with points pt 7 ps 0.35 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', $d3 using 1:2 with points pt 7 ps 0.35 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:1]
set yrange [0:46.74]
set ytics ('0' 0, '25' 25)
set xtics ('' 0, '' 0.5, '' 1)
set label 1 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
$d4 << EOD
0 40.5 40 41
EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d4 using 1:2 with points pt 7 ps 0.35 lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:1]
set yrange [0:101]
set ytics ('0' 0, '100' 100)
set xtics ('15:06:40.0' 0, '15:06:40.5' 0.5, '' 1)
set label 1 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
$d5 << EOD
0 50.5 50 51
EOD
plot $d5 using 1:3:4 with filledcurves fc rgb '#00755a' fs solid 0.25 noborder, $d5 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', $d5 using 1:2 with points pt 7 ps 0.35 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-5'
reset
set term svg size 720,426 noenhanced font 'sans-serif,11' butt dashlength 0.7
set key off
set border 0
set style fill solid 1 noborder
set tics nomirror scale 0 textcolor rgb '#57606a'
set grid ytics lc rgb '#d8dee4' lw 1 dt 1
set multiplot
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.9601
set bmargin at screen 0.7629
set xrange [0:1]
set yrange [-1635.6:1804.8]
set ytics ('-1000' -1000, '0' 0, '1000' 1000)
set xtics ('' 0, '' 0.1, '' 0.2, '' 0.3, '' 0.4, '' 0.5, '' 0.6, '' 0.7, '' 0.8, '' 0.9, '' 1)
set label 1 'SM clock, MHz' at screen 0.0528,0.9742 left textcolor rgb '#0072b2'
$d1 << EOD
0 1405 1400 1410
EOD
plot $d1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs solid 0.25 noborder, $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', $d1 using 1:2 with points pt 7 ps 0.35 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.7230
set bmargin at screen 0.5258
set xrange [0:1]
set yrange [0:342]
set ytics ('0' 0, '200' 200)
set xtics ('' 0, '' 0.1, '' 0.2, '' 0.3, '' 0.4, '' 0.5, '' 0.6, '' 0.7, '' 0.8, '' 0.9, '' 1)
set label 1 'power, W' at screen 0.0528,0.7371 left textcolor rgb '#c44e00'
set label 2 'black: limit' at screen 0.9861,0.7371 right textcolor rgb '#24292f'
$d2 << EOD
0 100.5 100 101
EOD
$d3 << EOD
0 300 300 300
EOD
plot $d2 using 1:3:4 with filledcurves fc rgb '#c44e00' fs solid 0.25 noborder, $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d2 using 1:2 with points pt 7 ps 0.35 lc rgb '#c44e00', $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#24292f', $d3 using 1:2 with points pt 7 ps 0.35 lc rgb '#24292f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.4859
set bmargin at screen 0.2887
set xrange [0:1]
set yrange [0:46.74]
set ytics ('0' 0, '20' 20, '40' 40)
set xtics ('' 0, '' 0.1, '' 0.2, '' 0.3, '' 0.4, '' 0.5, '' 0.6, '' 0.7, '' 0.8, '' 0.9, '' 1)
set label 1 'temperature, C' at screen 0.0528,0.5000 left textcolor rgb '#a3316f'
$d4 << EOD
0 40.5 40 41
EOD
plot $d4 using 1:3:4 with filledcurves fc rgb '#a3316f' fs solid 0.25 noborder, $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d4 using 1:2 with points pt 7 ps 0.35 lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.2488
set bmargin at screen 0.0516
set xrange [0:1]
set yrange [0:101]
set ytics ('0' 0, '50' 50, '100' 100)
set xtics ('15:06:40.0' 0, '15:06:40.1' 0.1, '15:06:40.2' 0.2, '15:06:40.3' 0.3, '15:06:40.4' 0.4, '15:06:40.5' 0.5, '15:06:40.6' 0.6, '15:06:40.7' 0.7, '15:06:40.8' 0.8, '15:06:40.9' 0.9, '' 1)
set label 1 'busy, %' at screen 0.0528,0.2629 left textcolor rgb '#00755a'
$d5 << EOD
0 50.5 50 51
EOD
plot $d5 using 1:3:4 with filledcurves fc rgb '#00755a' fs solid 0.25 noborder, $d5 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', $d5 using 1:2 with points pt 7 ps 0.35 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-6'
