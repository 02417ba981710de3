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
set xrange [0:3248]
set yrange [0:3]
unset ytics
set xtics ('08:20' 273, '08:30' 873, '08:40' 1473, '08:50' 2073, '09:00' 2673)
set label 1 '@0@' at screen 0.1139,0.7833 right textcolor rgb '#57606a'
set arrow 2 from 0,2.4 to 3248,2.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 3 from 464,2.2 to 464,2.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set arrow 4 from 2783,2.2 to 2783,2.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 5 '@1@' at 464,2.74 left textcolor rgb '#1b1f24'
set label 6 '@2@' at 2783,2.74 left textcolor rgb '#1b1f24'
set label 7 '@3@' at screen 0.1139,0.5333 right textcolor rgb '#57606a'
set arrow 8 from 0,1.4 to 3248,1.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 9 from 764,1.2 to 764,1.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set arrow 10 from 2173,1.2 to 2173,1.6 nohead lw 1.2 dt 1 lc rgb '#57606a'
set label 11 '@4@' at 764,1.74 left textcolor rgb '#1b1f24'
set label 12 '@5@' at 2173,1.74 left textcolor rgb '#57606a'
set label 13 '@6@' at screen 0.1139,0.2833 right textcolor rgb '#57606a'
set arrow 14 from 0,0.4 to 3248,0.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 15 from 1173,0.2 to 1173,0.6 nohead lw 1.2 dt 1 lc rgb '#57606a'
set label 16 '@7@' at 1173,0.74 left textcolor rgb '#57606a'
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
set xrange [0:3248]
set yrange [0:3]
unset ytics
set xtics ('08:30' 873, '08:45' 1773, '09:00' 2673)
set label 1 '@0@' at screen 0.1629,0.7833 right textcolor rgb '#57606a'
set arrow 2 from 0,2.4 to 3248,2.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 3 from 464,2.2 to 464,2.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set arrow 4 from 2783,2.2 to 2783,2.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set label 5 '@1@' at 464,2.74 left textcolor rgb '#1b1f24'
set label 6 '@2@' at 2783,2.74 left textcolor rgb '#1b1f24'
set label 7 '@3@' at screen 0.1629,0.5333 right textcolor rgb '#57606a'
set arrow 8 from 0,1.4 to 3248,1.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 9 from 764,1.2 to 764,1.6 nohead lw 1.2 dt 1 lc rgb '#6639ba'
set arrow 10 from 2173,1.2 to 2173,1.6 nohead lw 1.2 dt 1 lc rgb '#57606a'
set label 11 '@4@' at 764,1.74 left textcolor rgb '#1b1f24'
set label 12 '@5@' at 2173,1.74 left textcolor rgb '#57606a'
set label 13 '@6@' at screen 0.1629,0.2833 right textcolor rgb '#57606a'
set arrow 14 from 0,0.4 to 3248,0.4 nohead lw 1.2 dt 1 lc rgb '#d8dee4'
set arrow 15 from 1173,0.2 to 1173,0.6 nohead lw 1.2 dt 1 lc rgb '#57606a'
set label 16 '@7@' at 1173,0.74 left textcolor rgb '#57606a'
plot NaN
unset multiplot

set print '-'
print 'gpudx-end-2'
