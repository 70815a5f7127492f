// Counts words of standard input, or of the files of a folder into a file, the most frequent first.
// words [FOLDER OUT]; WORDS_TOP: how many are told.
use std::collections::{BTreeMap, HashMap};
use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};

fn count(input: impl Read, words: &mut HashMap<String, u64>) -> io::Result<()> {
    for line in BufReader::new(input).lines() {
        for word in line?.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
            *words.entry(word.to_lowercase()).or_insert(0) += 1;
        }
    }
    Ok(())
}

fn report(words: &HashMap<String, u64>, top: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut by_count: BTreeMap<(i64, &str), u64> = BTreeMap::new();
    for (word, times) in words {
        by_count.insert((-(*times as i64), word), *times);
    }
    for ((_, word), times) in by_count.iter().take(top) {
        writeln!(out, "{times:>8} {word}")?;
    }
    writeln!(out, "{} words, mean length {:.3}", words.len(),
        words.keys().map(|w| w.len() as f64).sum::<f64>() / words.len() as f64)
}

fn main() -> io::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let top = env::var("WORDS_TOP").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let mut words = HashMap::new();
    if args.len() == 2 {
        let mut paths: Vec<_> = fs::read_dir(&args[0]).expect("a folder")
            .map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            eprintln!("{}: {} bytes", path.display(), fs::metadata(&path)?.len());
            count(File::open(path)?, &mut words)?;
        }
        report(&words, top, &mut File::create(&args[1])?)
    } else {
        count(io::stdin(), &mut words)?;
        report(&words, top, &mut io::stdout())
    }
}
