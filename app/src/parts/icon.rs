//! Icons, drawn in line. Each is one path on a field of 16 by 16, hidden from readers because it stands beside a word.

use leptos::prelude::*;

/// The icons that pages use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Added,
    Arrow,
    Bad,
    Below,
    Chevron,
    Clash,
    Close,
    Command,
    Diamond,
    Down,
    Eye,
    Gap,
    Info,
    Intake,
    Key,
    Ledger,
    Link,
    Menu,
    Monitor,
    Moon,
    Ok,
    Overview,
    Pencil,
    Person,
    Removed,
    Route,
    Shield,
    Snapshot,
    Sun,
    Tool,
    Twin,
    Undo,
    Up,
    Version,
    Warn,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Self::Added => "M8 3v10M3 8h10",
            Self::Arrow => "M2.5 8h11M9.5 4l4 4-4 4",
            Self::Bad => "M5.5 1.9h5l3.6 3.6v5l-3.6 3.6h-5l-3.6-3.6v-5zM5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2",
            Self::Below => "M2.5 5h2.2M6.9 5h2.2M11.3 5h2.2M8 7v6M5.4 10.6L8 13.2l2.6-2.6",
            Self::Chevron => "M6 3.5L10.5 8 6 12.5",
            Self::Clash => {
                "M2.1 8a3.9 3.9 0 1 0 7.8 0a3.9 3.9 0 1 0-7.8 0zM6.1 8a3.9 3.9 0 1 0 7.8 0a3.9 3.9 0 1 0-7.8 0z"
            }
            Self::Close => "M3.5 3.5l9 9M12.5 3.5l-9 9",
            Self::Command => "M2.2 3.4h11.6v9.2H2.2zM4.6 6.2L6.8 8l-2.2 1.8M8.2 10h3",
            Self::Diamond => "M8 2.2L13.8 8 8 13.8 2.2 8z",
            Self::Down => "M8 12.8L3 4.2h10z",
            Self::Eye => {
                "M1.6 8S4 3.8 8 3.8 14.4 8 14.4 8 12 12.2 8 12.2 1.6 8 1.6 8zM6.1 8a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0z"
            }
            Self::Gap => {
                "M13.4 9.5A5.6 5.6 0 0 1 9.5 13.4M6.5 13.4A5.6 5.6 0 0 1 2.6 9.5M2.6 6.5A5.6 5.6 0 0 1 6.5 2.6M9.5 2.6A5.6 5.6 0 0 1 13.4 6.5"
            }
            Self::Info => "M2.4 2.4h11.2v11.2H2.4zM8 7.4v3.4M8 5v.1",
            Self::Intake => "M2.5 9.3h3.2l.9 1.7h2.8l.9-1.7h3.2M2.5 9.3v3.9h11V9.3L11.4 3H4.6z",
            Self::Key => "M2.5 10.8a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0-5.4 0zM7.2 8.8L13 3M10.8 5.2l2 2",
            Self::Ledger => "M3 2.2h10v11.6H3zM5.6 5.4h.1M7.6 5.4h3M5.6 8h.1M7.6 8h3M5.6 10.6h.1M7.6 10.6h3",
            Self::Link => {
                "M6.6 9.4l2.8-2.8M7.5 4.6l1.6-1.6a2.8 2.8 0 0 1 4 4l-1.7 1.5M8.5 11.4L6.9 13a2.8 2.8 0 0 1-4-4l1.7-1.5"
            }
            Self::Menu => "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
            Self::Monitor => "M2 3h12v8H2zM6 13.6h4",
            Self::Moon => "M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z",
            Self::Ok => "M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0zM5.3 8.2l1.9 1.9 3.5-4",
            Self::Overview => "M2.5 2.5h4.6v4.6H2.5zM8.9 2.5h4.6v4.6H8.9zM2.5 8.9h4.6v4.6H2.5zM8.9 8.9h4.6v4.6H8.9z",
            Self::Pencil => "M2.8 13.2l.7-3L10.6 3l2.4 2.4-7.1 7.1zM9.2 4.4l2.4 2.4",
            Self::Person => {
                "M5.4 5.2a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0zM2.8 13.6c.5-2.6 2.5-4 5.2-4s4.7 1.4 5.2 4"
            }
            Self::Removed => "M3 8h10",
            Self::Route => {
                "M1.9 8a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0zM11.1 4a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0zM11.1 12a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0zM4.9 8H6c2.6 0 2.4-4 5.1-4M6 8c2.6 0 2.4 4 5.1 4"
            }
            Self::Shield => "M8 1.8l5 1.9v4c0 3.2-2.1 5.5-5 6.5-2.9-1-5-3.3-5-6.5v-4z",
            Self::Snapshot => "M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3",
            Self::Sun => {
                "M5.2 8a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0zM8 1.6v1.6M8 12.8v1.6M1.6 8h1.6M12.8 8h1.6M3.5 3.5l1.1 1.1M11.4 11.4l1.1 1.1M3.5 12.5l1.1-1.1M11.4 4.6l1.1-1.1"
            }
            Self::Tool => "M8 1.9l5.3 3v6.2L8 14.1l-5.3-3V4.9zM6.1 8a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0z",
            Self::Twin => "M2.2 2.2h8v8h-8zM5.8 5.8h8v8h-8z",
            Self::Undo => "M3 6.5h6.6a3.4 3.4 0 0 1 0 6.8H6M5.8 3.6L3 6.5l2.8 2.8",
            Self::Up => "M8 3.2l5 8.6H3z",
            Self::Version => "M2.8 8a5.3 5.3 0 1 0 1.7-3.9L2.6 5.9M2.6 2.6v3.3h3.3M8 5.4V8l1.9 1.3",
            Self::Warn => "M8 2.2l6.3 11H1.7zM8 6.4v3.1M8 11.4v.1",
        }
    }
}

/// The icon in the colour of its text.
pub fn icon(of: Icon) -> impl IntoView {
    classed_icon(of, "i")
}

/// The icon with classes of its own; `i` has to be one of them.
pub fn classed_icon(of: Icon, class: &'static str) -> impl IntoView {
    view! {
        <svg class=class viewBox="0 0 16 16" aria-hidden="true">
            <path d=of.path()></path>
        </svg>
    }
}

/// A short word in a box; the icon says the same by its shape.
pub fn tag(class: &'static str, of: Icon, word: &str) -> impl IntoView + use<> {
    view! {
        <span class=format!("tag {class}")>
            {icon(of)} {word.to_owned()}
        </span>
    }
}
