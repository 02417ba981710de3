reset
set term svg size 720,248 noenhanced font 'sans-serif,11' butt dashlength 0.7
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
set tmargin at screen 0.9315
set bmargin at screen 0.5444
set xrange [0:5]
set yrange [1102.2:1449.9]
set ytics ('1200' 1200, '1400' 1400)
set xtics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.0528,0.9556 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9861,0.9556 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 5,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD
0 1410 1410 1410
1 1410 1410 1410
2 1155 1155 1155
3 1125 1125 1125
4 1125 1125 1125
5 1125 1125 1125
EOD
plot $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', $d1 using 1:2 with points pt 7 ps 0.35 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.4758
set bmargin at screen 0.0887
set xrange [0:5]
set yrange [217.863:424.299]
set ytics ('300' 300, '400' 400)
set xtics ('14:03:06' 0, '14:03:07' 1, '14:03:08' 2, '14:03:09' 3, '14:03:10' 4, '' 5)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.0528,0.5000 left textcolor rgb '#c44e00'
set label 3 'line: limit 400' at screen 0.9861,0.5000 right textcolor rgb '#24292f'
set arrow 4 from 0,400 to 5,400 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d2 << EOD
0 231.4 231.4 231.4
1 240.02 240.02 240.02
2 398.77 398.77 398.77
3 400.61 400.61 400.61
4 400.58 400.58 400.58
5 400.49 400.49 400.49
EOD
plot $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d2 using 1:2 with points pt 7 ps 0.35 lc rgb '#c44e00', NaN
unset multiplot

set print '-'
print 'gpudx-end-1'
reset
set term svg size 356,184 noenhanced font 'sans-serif,11' butt dashlength 0.7
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
set tmargin at screen 0.9076
set bmargin at screen 0.5598
set xrange [0:5]
set yrange [1102.2:1449.9]
set ytics ('1200' 1200, '1400' 1400)
set xtics ('' 0, '' 2, '' 4)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.1067,0.9402 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9719,0.9402 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 5,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD
0 1410 1410 1410
1 1410 1410 1410
2 1155 1155 1155
3 1125 1125 1125
4 1125 1125 1125
5 1125 1125 1125
EOD
plot $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', $d1 using 1:2 with points pt 7 ps 0.35 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4674
set bmargin at screen 0.1196
set xrange [0:5]
set yrange [217.863:424.299]
set ytics ('300' 300, '400' 400)
set xtics ('14:03:06' 0, '14:03:08' 2, '14:03:10' 4)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.1067,0.5000 left textcolor rgb '#c44e00'
set label 3 'line: limit 400' at screen 0.9719,0.5000 right textcolor rgb '#24292f'
set arrow 4 from 0,400 to 5,400 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d2 << EOD
0 231.4 231.4 231.4
1 240.02 240.02 240.02
2 398.77 398.77 398.77
3 400.61 400.61 400.61
4 400.58 400.58 400.58
5 400.49 400.49 400.49
EOD
plot $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d2 using 1:2 with points pt 7 ps 0.35 lc rgb '#c44e00', NaN
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
set xrange [0:5]
set yrange [1102.2:1449.9]
set ytics ('1200' 1200, '1400' 1400)
set xtics ('' 0, '' 2, '' 4)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.1067,0.9703 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9719,0.9703 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 5,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD
0 1410 1410 1410
1 1410 1410 1410
2 1155 1155 1155
3 1125 1125 1125
4 1125 1125 1125
5 1125 1125 1125
EOD
plot $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', $d1 using 1:2 with points pt 7 ps 0.35 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.7189
set bmargin at screen 0.5297
set xrange [0:5]
set yrange [217.863:424.299]
set ytics ('300' 300, '400' 400)
set xtics ('' 0, '' 2, '' 4)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.1067,0.7351 left textcolor rgb '#c44e00'
set label 3 'line: limit 400' at screen 0.9719,0.7351 right textcolor rgb '#24292f'
set arrow 4 from 0,400 to 5,400 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d2 << EOD
0 231.4 231.4 231.4
1 240.02 240.02 240.02
2 398.77 398.77 398.77
3 400.61 400.61 400.61
4 400.58 400.58 400.58
5 400.49 400.49 400.49
EOD
plot $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d2 using 1:2 with points pt 7 ps 0.35 lc rgb '#c44e00', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.4838
set bmargin at screen 0.2946
set xrange [0:5]
set yrange [54.04:68.68]
set ytics ('55' 55, '60' 60, '65' 65)
set xtics ('' 0, '' 2, '' 4)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'temperature, C' at screen 0.1067,0.5000 left textcolor rgb '#a3316f'
$d3 << EOD
0 55 55 55
1 58 58 58
2 65 65 65
3 66 66 66
4 67 67 67
5 67 67 67
EOD
plot $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d3 using 1:2 with points pt 7 ps 0.35 lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.2486
set bmargin at screen 0.0595
set xrange [0:5]
set yrange [0:104]
set ytics ('0' 0, '100' 100)
set xtics ('14:03:06' 0, '14:03:08' 2, '14:03:10' 4)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'busy, %' at screen 0.1067,0.2649 left textcolor rgb '#00755a'
$d4 << EOD
0 88 88 88
1 93 93 93
2 99 99 99
3 99 99 99
4 99 99 99
5 98 98 98
EOD
plot $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', $d4 using 1:2 with points pt 7 ps 0.35 lc rgb '#00755a', NaN
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
set xrange [0:5]
set yrange [1102.2:1449.9]
set ytics ('1200' 1200, '1400' 1400)
set xtics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'SM clock, MHz' at screen 0.0528,0.9742 left textcolor rgb '#0072b2'
set label 3 'dashed: 1410 before' at screen 0.9861,0.9742 right textcolor rgb '#24292f'
set arrow 4 from 0,1410 to 5,1410 nohead lw 1.2 dt (8,5) lc rgb '#24292f'
$d1 << EOD
0 1410 1410 1410
1 1410 1410 1410
2 1155 1155 1155
3 1125 1125 1125
4 1125 1125 1125
5 1125 1125 1125
EOD
plot $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#0072b2', $d1 using 1:2 with points pt 7 ps 0.35 lc rgb '#0072b2', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.7230
set bmargin at screen 0.5258
set xrange [0:5]
set yrange [217.863:424.299]
set ytics ('300' 300, '400' 400)
set xtics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'power, W' at screen 0.0528,0.7371 left textcolor rgb '#c44e00'
set label 3 'line: limit 400' at screen 0.9861,0.7371 right textcolor rgb '#24292f'
set arrow 4 from 0,400 to 5,400 nohead lw 1.2 dt 1 lc rgb '#24292f'
$d2 << EOD
0 231.4 231.4 231.4
1 240.02 240.02 240.02
2 398.77 398.77 398.77
3 400.61 400.61 400.61
4 400.58 400.58 400.58
5 400.49 400.49 400.49
EOD
plot $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d2 using 1:2 with points pt 7 ps 0.35 lc rgb '#c44e00', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.4859
set bmargin at screen 0.2887
set xrange [0:5]
set yrange [54.04:68.68]
set ytics ('55' 55, '60' 60, '65' 65)
set xtics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'temperature, C' at screen 0.0528,0.5000 left textcolor rgb '#a3316f'
$d3 << EOD
0 55 55 55
1 58 58 58
2 65 65 65
3 66 66 66
4 67 67 67
5 67 67 67
EOD
plot $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d3 using 1:2 with points pt 7 ps 0.35 lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.2488
set bmargin at screen 0.0516
set xrange [0:5]
set yrange [0:104]
set ytics ('0' 0, '50' 50, '100' 100)
set xtics ('14:03:06' 0, '14:03:07' 1, '14:03:08' 2, '14:03:09' 3, '14:03:10' 4, '' 5)
set object 1 rect from 2, graph 0 to 5, graph 1 behind fc rgb '#f2d16b' fs solid 0.5 noborder
set label 2 'busy, %' at screen 0.0528,0.2629 left textcolor rgb '#00755a'
$d4 << EOD
0 88 88 88
1 93 93 93
2 99 99 99
3 99 99 99
4 99 99 99
5 98 98 98
EOD
plot $d4 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', $d4 using 1:2 with points pt 7 ps 0.35 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-4'
