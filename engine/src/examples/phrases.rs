//! Ways in which people ask for what a tool does, one list an operation. More are made than are taken: some say the same, some
//! would hold the tool's name, and some have nothing to say where a tool has no inputs.

use ambit_model::facts::Operation;

use super::asked::Kind;
use super::nouns;
use super::subject::Subject;

/// Every question that this tool lends itself to, the best first.
pub(super) fn candidates(subject: &Subject) -> Vec<String> {
    let phrases = Phrases::of(subject);
    let own = match subject.operation {
        Operation::List => phrases.list(),
        Operation::Search => phrases.search(),
        Operation::Get | Operation::Detail if subject.writes => phrases.run(),
        Operation::Get | Operation::Detail => phrases.get(),
        Operation::Summary => phrases.summary(),
        Operation::Count => phrases.count(),
        Operation::Check => phrases.check(),
        // A verb of its own tells more than any wording of ours.
        Operation::Create => phrases.with_own_verb(phrases.create()),
        Operation::Update => phrases.with_own_verb(phrases.update()),
        Operation::Delete => phrases.delete(),
        Operation::Send => phrases.send(),
        Operation::Execute => phrases.run(),
    };
    // The description's own words tell most about the tool, so they come early, and once.
    let (first, rest) = own.split_at(own.len().min(1));
    let wish = subject
        .wish
        .iter()
        .map(|wish| if subject.writes { format!("Please {wish}") } else { format!("I would like you to {wish}") });
    first.iter().cloned().chain(wish).chain(rest.iter().cloned()).collect()
}

/// The parts of a sentence, ready to be put together.
struct Phrases<'a> {
    subject: &'a Subject,
    one: &'a str,
    many: &'a str,
    /// One of it, with its article.
    a: String,
    /// The thing by its own number.
    this: String,
    filters: Vec<String>,
    /// `is` or `are`.
    are: &'static str,
}

impl<'a> Phrases<'a> {
    fn of(subject: &'a Subject) -> Self {
        let are = if subject.uncounted { "is" } else { "are" };
        let (one, many) = (subject.one.as_str(), subject.many.as_str());
        Self { subject, one, many, a: nouns::one_of(one), this: subject.this(), filters: spoken(subject), are }
    }

    /// The nth filter, or the last one that there is.
    fn by(&self, n: usize) -> &str {
        self.filters.get(n).or(self.filters.last()).map_or("", String::as_str)
    }

    fn field(&self, n: usize) -> Option<&str> {
        self.subject.fields.get(n).map(String::as_str)
    }

    /// A question in each state that the thing can be in.
    fn in_states(&self) -> Vec<String> {
        let Self { many, are, .. } = self;
        let states = self.subject.states.iter().enumerate();
        let ask = |(n, state): (usize, &String)| match n {
            0 => format!("Which {many} {} {are} {state}?", self.by(0)),
            _ => format!("What {many} {are} {state} {}?", self.by(n)),
        };
        states.take(2).map(ask).collect()
    }

    fn list(&self) -> Vec<String> {
        let Self { many, one, are, .. } = self;
        let mut said = self.in_states();
        said.push(format!("Which {many} {} do we have?", self.by(0)));
        said.push(format!("Show me all {many} {}", self.by(1)));
        if let Some(field) = self.field(0) {
            said.push(format!("Give me the {many} {} with their {field}", self.by(0)));
        }
        said.push(format!("List every {one} {}", self.by(2)));
        said.push(format!("{} there any {many} {}?", capital(are), self.by(1)));
        if let (Some(first), Some(second)) = (self.field(1), self.field(2)) {
            said.push(format!("I want to see {first} and {second} of the {many}"));
        }
        said.push(format!("I need an overview of the {many} {}", self.by(0)));
        said.push(format!("What {many} {are} on record {}?", self.by(2)));
        said.push(format!("Can you pull up our {many} {}?", self.by(3)));
        said.push(format!("What does the list of {many} look like at the moment?"));
        said
    }

    fn search(&self) -> Vec<String> {
        let Self { many, one, a, are, .. } = self;
        let words = self.subject.asked.iter().any(|asked| asked.kind == Kind::Words);
        // One looks for a text by what it is about, and for anything else by its name.
        let about = |topic: &str, name: &str| match (words, self.subject.text) {
            (true, true) => format!("about {topic}"),
            (true, false) => format!("called {name}"),
            (false, _) => self.by(0).to_owned(),
        };
        let first = about("late deliveries", "Northwind");
        let by = |n: usize| {
            self.filters
                .iter()
                .filter(|filter| !filter.starts_with("about "))
                .nth(n)
                .map_or(first.as_str(), String::as_str)
        };
        let mut said = vec![format!("Find {many} {first}")];
        said.extend(self.in_states());
        said.push(format!("Look for {a} {}", about("the annual meeting", "Harbour")));
        said.push(format!("Which {many} {are} there {}?", about("the new office", "Alder")));
        said.push(format!("Do we have any {one} {}?", by(0)));
        said.push(format!("Search all {many} {}", about("last week's outage", "Quill")));
        if let Some(field) = self.field(0) {
            said.push(format!("Find the {one} {} and tell me its {field}", by(1)));
        }
        said.push(format!("I am looking for {a} {}", by(2)));
        said.push(format!("What {many} {are} there {}?", about("travel costs", "Ana")));
        said.push(format!("Help me find the right {one} {}", by(0)));
        said.push(format!("Is there {a} {}?", about("a missing delivery", "Byron")));
        said
    }

    fn get(&self) -> Vec<String> {
        let Self { this, one, many, .. } = self;
        let with = self.by(0);
        let mut said = vec![format!("Show me {this} {with}")];
        for (n, ask) in ["What is the", "Tell me the", "I need the"].iter().enumerate() {
            let end = if n == 0 { "?" } else { "" };
            said.extend(self.field(n).map(|field| format!("{ask} {field} of {this} {with}{end}")));
        }
        said.push(format!("Open {this}"));
        said.push(format!("What do we know about {this} {with}?"));
        said.push(format!("I need the details of the {one} {with}"));
        said.push(format!("Look up the {one} {}", self.by(1)));
        said.push(format!("Can you bring up {this} for me?"));
        said.push(format!("What does the {one} say {with}?"));
        said.push(format!("Give me everything on {this}"));
        said.push(format!("How {} the {many} {}?", if self.subject.uncounted { "is" } else { "are" }, self.by(1)));
        said
    }

    fn summary(&self) -> Vec<String> {
        let Self { many, .. } = self;
        let were = if self.subject.uncounted { "was" } else { "were" };
        let choice = self.subject.asked.iter().find(|asked| asked.kind == Kind::Choice);
        let by = choice.map_or("month", |asked| if asked.name.ends_with(" by") { &asked.value } else { &asked.name });
        let mut said = vec![format!("How did our {many} do {}?", self.by(0))];
        said.push(format!("Sum up the {many} {}", self.by(1)));
        said.push(format!("What {were} our {many} last quarter?"));
        if let Some(field) = self.field(0) {
            said.push(format!("Report the {field} of the {many} {}", self.by(0)));
        }
        said.push(format!("Give me a short overview of {many} {}", self.by(2)));
        said.push(format!("Break the {many} down by {by}"));
        said.push(format!("How did the {many} change since last year?"));
        said.push(format!("I need the figures on {many} {}", self.by(1)));
        said.push(format!("What do the numbers say about our {many}?"));
        said
    }

    fn count(&self) -> Vec<String> {
        let Self { many, are, .. } = self;
        let how = if self.subject.uncounted { "How much" } else { "How many" };
        let states = self.subject.states.iter().map(|state| format!("{how} {many} {are} {state}?"));
        let mut said = vec![format!("{how} {many} {are} there {}?", self.by(0))];
        said.extend(states);
        said.push(format!("What is the number of {many} {}?", self.by(1)));
        said.push(format!("Count the {many} {}", self.by(2)));
        said.push(format!("{how} {many} did we have last month?"));
        said.push(format!("Tell me the total of {many} {}", self.by(0)));
        said.push(format!("Do we have more {many} than a year ago?"));
        said.push(format!("I only need the count of {many}, not the list"));
        said.push(format!("{how} {many} came in this week?"));
        said
    }

    fn check(&self) -> Vec<String> {
        let Self { this, one, .. } = self;
        let with = self.by(0);
        let states = self.subject.states.iter().map(|state| format!("Is {this} {state}?"));
        let mut said = vec![format!("Is everything fine with {this} {with}?")];
        said.extend(states);
        said.push(format!("Check {this} {with}"));
        said.push(format!("Can you verify the {one} {}?", self.by(1)));
        if let Some(field) = self.field(0) {
            said.push(format!("What is the {field} of {this} right now?"));
        }
        said.push(format!("Make sure that {this} is in order"));
        said.push(format!("How does it stand with {this}?"));
        said.push(format!("Tell me whether there is a problem with {this}"));
        said.push(format!("I want to be certain about {this} {with}"));
        said
    }

    fn create(&self) -> Vec<String> {
        let Self { one, a, .. } = self;
        let verb = self.verb("create");
        let mut said = vec![format!("{} {a} {}", capital(verb), self.by(0))];
        said.push(format!("We need {} {}", self.a_new(), self.by(1)));
        said.push(format!("Set up {a} {} {}", self.by(0), self.second(1)));
        said.push(format!(
            "Add {} {}",
            if self.subject.uncounted { format!("more {one}") } else { format!("another {one}") },
            self.by(2)
        ));
        said.push(format!("Can you make {a} for me {}?", self.by(0)));
        said.push(format!("Please prepare the {one} {}", self.by(1)));
        if let Some(field) = self.field(0) {
            said.push(format!("Make {a} and tell me its {field}"));
        }
        said.push(format!("I want {a} {}", self.by(3)));
        said.push(format!("Start with {} {}", self.a_new(), self.by(2)));
        said.push(format!("There is no {one} yet, so make one"));
        said
    }

    fn update(&self) -> Vec<String> {
        let Self { this, one, .. } = self;
        let verb = self.verb("update");
        let mut said = vec![format!("{} {this} {}", capital(verb), self.by(0))];
        let changed =
            self.subject.asked.iter().filter(|asked| {
                !matches!(asked.kind, Kind::Own | Kind::Other | Kind::Switch | Kind::Since | Kind::Until)
            });
        for (n, asked) in changed.take(3).enumerate() {
            let (name, value) = (&asked.name, &asked.value);
            said.push(match n {
                0 => format!("Change the {name} of {this} to {value}"),
                1 => format!("The {name} of {this} should be {value}"),
                _ => format!("Correct the {name} of the {one}, it is {value} now"),
            });
        }
        said.extend(self.subject.states.iter().take(2).map(|state| format!("Mark {this} as {state}")));
        said.push(format!("Something about {this} is wrong, please correct it"));
        said.push(format!("Make a change to the {one} {}", self.by(1)));
        said.push(format!("I need to edit {this}"));
        said.push(format!("Can you adjust the {one} {}?", self.by(0)));
        said.push(format!("Bring {this} up to date"));
        said.push(format!("{} the {one} as the customer asked", capital(verb)));
        said
    }

    fn delete(&self) -> Vec<String> {
        let Self { this, one, .. } = self;
        let verb = self.verb("delete");
        vec![
            format!("{} {this} {}", capital(verb), self.by(0)),
            format!("The {one} was a mistake, {verb} it"),
            format!("Please {verb} the {one} {}", self.by(1)),
            format!("We no longer need {this}"),
            format!("Get rid of {this}"),
            format!("Can you take the {one} away {}?", self.by(0)),
            format!("{} the {one} that was entered twice", capital(verb)),
            format!("Make {this} go away for good"),
            format!("I want the old {one} gone"),
        ]
    }

    fn send(&self) -> Vec<String> {
        let Self { one, a, .. } = self;
        let verb = self.verb("send");
        let to = self.filters.iter().find(|filter| filter.starts_with("to ")).map_or("to the customer", String::as_str);
        vec![
            format!("{} {a} {to}", capital(verb)),
            format!("Write {a} {to} about the delivery"),
            format!("Please {verb} the {one} to the whole team"),
            format!("Let them know by {one} that the meeting moved"),
            format!("Can you get {a} out today {}?", self.by(1)),
            format!("{} the finished {one} now", capital(verb)),
            format!("Tell Ana Ruiz with {a} that we are done"),
            format!("I want {a} to go out {to}"),
            format!("Pass it on as {a} to our partner"),
        ]
    }

    fn run(&self) -> Vec<String> {
        let Self { this, one, a, .. } = self;
        let verb = self.verb("run");
        vec![
            format!("{} {a} {}", capital(verb), self.by(0)),
            format!("Please {verb} {this} {}", self.by(1)),
            format!("Can you {verb} the {one} now?"),
            format!("It is time to {verb} the {one} {}", self.by(0)),
            format!("{} the {one} once more", capital(verb)),
            format!("I want you to {verb} {this} {}", self.by(2)),
            format!("Go ahead and {verb} the {one} {}", self.by(1)),
            format!("We are ready to {verb} the {one}"),
            format!("Is it possible to {verb} {this}?"),
        ]
    }

    /// Wordings of an operation; those with the tool's own verb go before them, where it says more than the operation does.
    fn with_own_verb(&self, said: Vec<String>) -> Vec<String> {
        const GENERAL: &[&str] =
            &["create", "add", "make", "insert", "new", "update", "edit", "modify", "change", "set", "patch", "post"];
        if self.subject.verb.as_deref().is_none_or(|verb| GENERAL.contains(&verb)) {
            return said;
        }
        self.run().into_iter().take(5).chain(said.into_iter().skip(1)).collect()
    }

    /// The verb of the tool's own name, where it is one people use; else that of its operation.
    fn verb<'v>(&'v self, otherwise: &'v str) -> &'v str {
        let usual = |verb: &&str| {
            !matches!(
                *verb,
                "get" | "list" | "all" | "new" | "index" | "detail" | "details" | "exists" | "post" | "insert" | "set"
            )
        };
        self.subject.verb.as_deref().filter(usual).unwrap_or(otherwise)
    }

    /// Another filter than the first, where there is one.
    fn second(&self, n: usize) -> String {
        let second = self.filters.get(n).map_or("", String::as_str);
        let both = self.by(0).starts_with("with ") && second.starts_with("with ");
        if both { second.replacen("with ", "and ", 1) } else { second.to_owned() }
    }

    /// `a new ticket`; what is not counted has no article.
    fn a_new(&self) -> String {
        if self.subject.uncounted { self.one.to_owned() } else { format!("a new {}", self.one) }
    }
}

/// What follows the thing, as it is said of what is done with it: one lists leave `since`, and asks for leave `from` a day on.
fn spoken(subject: &Subject) -> Vec<String> {
    let said = |filter: String| {
        let replaced = match subject.operation {
            Operation::Create => [("of ", "for "), ("since ", "from ")],
            Operation::Update => [("of ", "with "), ("since ", "from ")],
            _ => return filter,
        };
        let found = replaced.into_iter().find(|(word, _)| filter.starts_with(word));
        found.map_or(filter.clone(), |(word, other)| filter.replacen(word, other, 1))
    };
    subject.filters().into_iter().map(said).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
