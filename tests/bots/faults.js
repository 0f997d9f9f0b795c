// A minimal bot with one fault: faults.js FAULT.

const fault = process.argv[2];

function search(depth) {
  if (depth === 0) throw new TypeError("no ply for fork");
  return search(depth - 1);
}

let moves = [];
function hear(line) {
  const [word, ...rest] = line.split(" ");
  if (word === "start") console.log("ready");
  else if (word === "moves") moves = rest;
  else if (word === "go") {
    if (fault === "throws") search(8);
    console.log("move " + moves[0]);
  }
}

if (fault === "reads-all") require("fs").readFileSync(0, "utf8").split("\n").forEach(hear);
else require("readline").createInterface({ input: process.stdin }).on("line", hear);
