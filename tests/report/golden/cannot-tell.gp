reset
set term svg size 356,283 noenhanced font 'sans-serif,11' butt dashlength 0.7
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
set tmargin at screen 0.9399
set bmargin at screen 0.6926
set xrange [0:9]
set yrange [58.4:81.2]
set ytics ('60' 60, '80' 80)
set xtics ('' 0, '' 5)
set label 1 'power, W' at screen 0.1067,0.9611 left textcolor rgb '#c44e00'
$d1 << EOD
0 60 60 60
1 61 61 61
2 62 62 62
3 63 63 63
4 64 64 64
5 65 65 65
6 66 66 66
7 67 67 67
8 68 68 68
9 69 69 69
EOD
plot $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d1 using 1:2 with points pt 7 ps 0.35 lc rgb '#c44e00', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.6325
set bmargin at screen 0.3852
set xrange [0:9]
set yrange [39.2:50.6]
set ytics ('40' 40, '50' 50)
set xtics ('' 0, '' 5)
set label 1 'temperature, C' at screen 0.1067,0.6537 left textcolor rgb '#a3316f'
$d2 << EOD
0 40 40 40
1 41 41 41
2 42 42 42
3 43 43 43
4 44 44 44
5 45 45 45
6 46 46 46
7 47 47 47
8 48 48 48
9 49 49 49
EOD
plot $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d2 using 1:2 with points pt 7 ps 0.35 lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.1067
set rmargin at screen 0.9719
set tmargin at screen 0.3251
set bmargin at screen 0.0777
set xrange [0:9]
set yrange [0:104]
set ytics ('0' 0, '100' 100)
set xtics ('0' 0, '5' 5)
set label 1 'busy, %' at screen 0.1067,0.3463 left textcolor rgb '#00755a'
$d3 << EOD
0 0 0 0
1 10 10 10
2 20 20 20
3 30 30 30
5 50 50 50
6 60 60 60
7 70 70 70
8 80 80 80
9 90 90 90
EOD
plot $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', $d3 using 1:2 with points pt 7 ps 0.35 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-1'
reset
set term svg size 720,325 noenhanced font 'sans-serif,11' butt dashlength 0.7
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
set tmargin at screen 0.9477
set bmargin at screen 0.6892
set xrange [0:9]
set yrange [58.4:81.2]
set ytics ('60' 60, '70' 70, '80' 80)
set xtics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 7, '' 8, '' 9)
set label 1 'power, W' at screen 0.0528,0.9662 left textcolor rgb '#c44e00'
$d1 << EOD
0 60 60 60
1 61 61 61
2 62 62 62
3 63 63 63
4 64 64 64
5 65 65 65
6 66 66 66
7 67 67 67
8 68 68 68
9 69 69 69
EOD
plot $d1 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c44e00', $d1 using 1:2 with points pt 7 ps 0.35 lc rgb '#c44e00', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.6369
set bmargin at screen 0.3785
set xrange [0:9]
set yrange [39.2:50.6]
set ytics ('40' 40, '45' 45, '50' 50)
set xtics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 7, '' 8, '' 9)
set label 1 'temperature, C' at screen 0.0528,0.6554 left textcolor rgb '#a3316f'
$d2 << EOD
0 40 40 40
1 41 41 41
2 42 42 42
3 43 43 43
4 44 44 44
5 45 45 45
6 46 46 46
7 47 47 47
8 48 48 48
9 49 49 49
EOD
plot $d2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#a3316f', $d2 using 1:2 with points pt 7 ps 0.35 lc rgb '#a3316f', NaN
unset label
unset arrow
unset object
set lmargin at screen 0.0528
set rmargin at screen 0.9861
set tmargin at screen 0.3262
set bmargin at screen 0.0677
set xrange [0:9]
set yrange [0:104]
set ytics ('0' 0, '50' 50, '100' 100)
set xtics ('0' 0, '1' 1, '2' 2, '3' 3, '4' 4, '5' 5, '6' 6, '7' 7, '8' 8, '9' 9)
set label 1 'busy, %' at screen 0.0528,0.3446 left textcolor rgb '#00755a'
$d3 << EOD
0 0 0 0
1 10 10 10
2 20 20 20
3 30 30 30
5 50 50 50
6 60 60 60
7 70 70 70
8 80 80 80
9 90 90 90
EOD
plot $d3 using 1:2 with lines lw 1.6 dt 1 lc rgb '#00755a', $d3 using 1:2 with points pt 7 ps 0.35 lc rgb '#00755a', NaN
unset multiplot

set print '-'
print 'gpudx-end-2'
