//! The words that aliases are made of: `quiet-otter-7f3a`. None of them praises or blames a bot, is
//! a side of a game or a first name. Another order or other words would change the aliases of
//! tournaments that are under way, so the lists stay as they are.

/// What comes first in an alias.
#[rustfmt::skip]
pub const ADJECTIVES: [&str; 128] = [
    "airy", "alpine", "ample", "arched", "arctic", "azure", "balmy", "blithe", "bluish", "bouncy",
    "breezy", "bright", "brisk", "bronze", "bubbly", "calm", "candid", "cheery", "chilly",
    "coastal", "cobalt", "comfy", "copper", "cordial", "cosmic", "cozy", "crimson", "crisp",
    "curly", "dainty", "dapper", "dewy", "dusky", "eager", "earnest", "eastern", "easy", "emerald",
    "fabled", "festive", "floral", "fluffy", "foggy", "fond", "frilly", "frosty", "gentle",
    "gilded", "glad", "glossy", "golden", "green", "happy", "hearty", "hidden", "hilly", "honest",
    "humble", "icy", "indigo", "inky", "ivory", "jaunty", "jolly", "jovial", "kind", "lilac",
    "lively", "lofty", "loyal", "lucid", "lush", "marble", "mellow", "melodic", "merry", "mild",
    "minty", "misty", "mossy", "neat", "nifty", "northern", "orange", "patient", "pearly", "peppy",
    "placid", "plucky", "polar", "polite", "quaint", "quiet", "quirky", "rainy", "roaming", "rosy",
    "rustic", "serene", "shiny", "silent", "silver", "sleek", "smooth", "snowy", "snug", "solar",
    "southern", "spry", "starry", "stormy", "sunny", "tawny", "teal", "tender", "tidy", "tranquil",
    "velvet", "vivid", "warm", "wavy", "western", "windy", "witty", "wooden", "woolly", "zesty",
    "zippy",
];

/// What comes second.
#[rustfmt::skip]
pub const ANIMALS: [&str; 128] = [
    "alpaca", "bison", "bonobo", "buzzard", "camel", "caribou", "chamois", "cheetah", "chipmunk",
    "cougar", "coyote", "crane", "curlew", "deer", "dingo", "dolphin", "dormouse", "dove", "duck",
    "egret", "eider", "elk", "falcon", "fawn", "ferret", "finch", "fox", "frog", "gazelle", "gecko",
    "gerbil", "giraffe", "gopher", "grouse", "hamster", "hare", "hawk", "hedgehog", "hoopoe",
    "horse", "hyrax", "ibis", "iguana", "impala", "jaguar", "jerboa", "kangaroo", "kestrel", "kiwi",
    "koala", "lark", "lemming", "lemur", "linnet", "lion", "llama", "lynx", "magpie", "mallard",
    "manatee", "marmot", "marten", "meerkat", "mongoose", "moose", "narwhal", "nautilus", "numbat",
    "nuthatch", "ocelot", "octopus", "okapi", "oriole", "oryx", "osprey", "otter", "owl", "panda",
    "pangolin", "panther", "parrot", "pelican", "penguin", "petrel", "pika", "pipit", "platypus",
    "plover", "pony", "porpoise", "possum", "puffin", "puma", "quail", "quokka", "rabbit",
    "raccoon", "reindeer", "salmon", "seahorse", "seal", "serval", "siskin", "sparrow", "squirrel",
    "starfish", "starling", "stoat", "stork", "swallow", "swan", "swift", "tamarin", "tapir",
    "thrush", "tiger", "tortoise", "toucan", "trout", "turtle", "wallaby", "walrus", "wapiti",
    "warbler", "whale", "wolf", "wombat", "zebra",
];
