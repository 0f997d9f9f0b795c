module bot

go 1.18
