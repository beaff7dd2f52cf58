//! The parts that small words play in a sentence, by which the planner reads a question. The words themselves are declared, one
//! list a language: the planner knows the parts and no language.

/// What a listed word or phrase does in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Native,
    NounVerbs,
    Connectives,
    Fillers,
    Negations,
    Without,
    But,
    Denials,
    Questions,
    Asking,
    Counting,
    Indirect,
    Conditions,
    Wishes,
    Determiners,
    Definite,
    References,
    Prepositions,
    Particles,
    Before,
    After,
    Circumstances,
    General,
    Gerunds,
    Infinitives,
    Clitics,
    Elisions,
    Shortened,
    Capitals,
    Dates,
    DateOpeners,
    DateUnits,
    Subjects,
    Leads,
    Order,
}

impl Part {
    pub(crate) const ALL: &[Self] = &[
        Self::Native,
        Self::NounVerbs,
        Self::Connectives,
        Self::Fillers,
        Self::Negations,
        Self::Without,
        Self::But,
        Self::Denials,
        Self::Questions,
        Self::Asking,
        Self::Counting,
        Self::Indirect,
        Self::Conditions,
        Self::Wishes,
        Self::Determiners,
        Self::Definite,
        Self::References,
        Self::Prepositions,
        Self::Particles,
        Self::Before,
        Self::After,
        Self::Circumstances,
        Self::General,
        Self::Gerunds,
        Self::Infinitives,
        Self::Clitics,
        Self::Elisions,
        Self::Shortened,
        Self::Capitals,
        Self::Dates,
        Self::DateOpeners,
        Self::DateUnits,
        Self::Subjects,
        Self::Leads,
        Self::Order,
    ];

    /// As it is written in a Vocabulary.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::NounVerbs => "noun_verbs",
            Self::Connectives => "connectives",
            Self::Fillers => "fillers",
            Self::Negations => "negations",
            Self::Without => "without",
            Self::But => "but",
            Self::Denials => "denials",
            Self::Questions => "questions",
            Self::Asking => "asking",
            Self::Counting => "counting",
            Self::Indirect => "indirect",
            Self::Conditions => "conditions",
            Self::Wishes => "wishes",
            Self::Determiners => "determiners",
            Self::Definite => "definite",
            Self::References => "references",
            Self::Prepositions => "prepositions",
            Self::Particles => "particles",
            Self::Before => "before",
            Self::After => "after",
            Self::Circumstances => "circumstances",
            Self::General => "general",
            Self::Gerunds => "gerunds",
            Self::Infinitives => "infinitives",
            Self::Clitics => "clitics",
            Self::Elisions => "elisions",
            Self::Shortened => "shortened",
            Self::Capitals => "capitals",
            Self::Dates => "dates",
            Self::DateOpeners => "date_openers",
            Self::DateUnits => "date_units",
            Self::Subjects => "subjects",
            Self::Leads => "leads",
            Self::Order => "order",
        }
    }

    /// Words of this part are spoken: they tell one language from another. Endings, names of dates and orders of words are not.
    pub(super) fn is_spoken(self) -> bool {
        !matches!(
            self,
            Self::Gerunds
                | Self::Infinitives
                | Self::Clitics
                | Self::Elisions
                | Self::Shortened
                | Self::Capitals
                | Self::Dates
                | Self::DateOpeners
                | Self::DateUnits
                | Self::Subjects
                | Self::Leads
                | Self::Order
        )
    }
}
