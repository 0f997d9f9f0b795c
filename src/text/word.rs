//! Closed enums each of whose variants is a word that users write and read: in configurations,
//! flags, logs and tables.

/// An enum each of whose variants is a word.
pub trait Word: Copy + PartialEq + 'static {
    /// Every variant, in the order in which messages offer them.
    const ALL: &'static [Self];

    /// How users write it.
    fn word(self) -> &'static str;

    /// The variant that is written like this, if there is one.
    #[must_use]
    fn named(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.word() == text)
    }
}

/// Declares enums of words: each implements [`Word`] and `Display`, and has `word` as a method of
/// its own.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "pure", derive(serde::Serialize, serde::Deserialize))]
        pub enum $name {
            $($(#[$meaning])* #[cfg_attr(feature = "pure", serde(rename = $word))] $variant,)+
        }

        impl $name {
            /// Every variant, in this order.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$variant),+];

            /// Every word, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// How users write it.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }

        impl $crate::text::Word for $name {
            const ALL: &'static [$name] = &$name::ALL;

            fn word(self) -> &'static str {
                $name::word(self)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    )+};
}

pub(crate) use words;
