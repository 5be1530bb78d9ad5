module ilk.example.com/bench/peer/load

go 1.25
