# C without comments and without what strings and character constants hold; lines stay lines.
# mode: "" code, "c" comment, or the quote that ends a literal.
FNR == 1 { mode = "" }
{
	out = ""
	n = length($0)
	for (i = 1; i <= n; i++) {
		two = substr($0, i, 2)
		one = substr($0, i, 1)
		if (mode == "c") {
			if (two == "*/") {
				mode = ""
				i++
			}
		} else if (mode != "") {
			if (one == "\\")
				i++
			else if (one == mode) {
				mode = ""
				out = out one
			}
		} else if (two == "/*") {
			mode = "c"
			i++
		} else if (two == "//") {
			break
		} else {
			out = out one
			if (one == "\"" || one == "'")
				mode = one
		}
	}
	print FILENAME ":" FNR ":" out
}
