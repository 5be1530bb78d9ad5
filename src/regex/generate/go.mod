module ilk/regex/generate

go 1.25
