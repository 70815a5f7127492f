// The most frequent words of standard input. It writes all of them to a file too, words.csv.
//
//     $ rustc --target wasm32-wasi -O -C strip=symbols -o words.wasm rust/words.rs
//     $ wasmburstctl run words.wasm -- 3 <data/texts/night.txt
//     4 rain
//     4 the
//     2 on
//
// An instance for each file; the file that each writes is kept under a name of its own:
//
//     $ wasmburstctl -q run words.wasm --each-file 'data/texts/*' --stdin-from {} --stdout-to 'top/{/}' --output-file words.csv --output-to 'all/{/.}.csv' -- 1
//     $ grep . top/*
//     top/morning.txt:6 the
//     top/night.txt:4 rain
//     top/noon.txt:6 the
//     $ head -n 2 all/noon.csv
//     the,6
//     boys,2
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::process::ExitCode;

/// Every word of a text in lower case, the most frequent first, equal ones by the alphabet.
fn counted(text: &str) -> Vec<(String, u64)> {
    let mut counts = BTreeMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    let mut words: Vec<_> = counts.into_iter().collect();
    words.sort_by(|a, b| b.1.cmp(&a.1));
    words
}

fn run(most: usize) -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let words = counted(&text);
    let mut all = io::BufWriter::new(std::fs::File::create("/words.csv")?);
    for (word, count) in &words {
        writeln!(all, "{word},{count}")?;
    }
    all.flush()?;
    let mut out = io::stdout().lock();
    for (word, count) in words.iter().take(most) {
        writeln!(out, "{count} {word}")?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let most = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 10,
        Some(Ok(most)) => most,
        Some(Err(why)) => {
            eprintln!("words: how many? {why}");
            return ExitCode::from(2);
        }
    };
    match run(most) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("words: {why}");
            ExitCode::FAILURE
        }
    }
}
