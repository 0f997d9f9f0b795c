//! A minimal bot with one fault: faults FAULT.

fn main() {
    let fault = std::env::args().nth(1).unwrap_or_default();
    let mut ply = String::new();
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["start", ..] => println!("ready"),
            ["moves", first, ..] => ply = first.to_owned(),
            ["go"] if fault == "deep" => println!("{}", search(0)),
            ["go"] if fault == "panics" => panic!("no ply after {ply}"),
            ["go"] => println!("move {ply}"),
            _ => {}
        }
    }
}

fn search(depth: usize) -> usize {
    if depth == usize::MAX { 0 } else { search(depth + 1) + 1 }
}
