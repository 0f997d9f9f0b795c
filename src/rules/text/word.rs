//! Closed enums each of whose variants is a word that users write and read: in configurations,
//! flags, logs and tables.

/// An enum each of whose variants is a word.
pub trait Word: Copy + PartialEq + 'static {
    /// Every variant, in the order in which messages offer them.
    const ALL: &'static [Self];

    /// How users write it.
    fn word(self) -> &'static str;

    /// The variant that is written like this, if there is one.
    fn named(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.word() == text)
    }
}

/// Declares enums of words: each implements [`Word`] and `Display`, has `word` as a method of its
/// own, and is that word for serde if this crate has the feature `serde`.
#[macro_export]
macro_rules! words {
    ($(
        $(#[$about:meta])*
        $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)+ }
    )+) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$meaning])* $variant,)+
        }

        impl $name {
            /// Every variant, in this order.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$variant),+];

            /// Every word, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// How users write it.
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

        $crate::serde_words!($name);
    )+};
}

/// What [`words!`] adds for serde. It stands here because only this crate knows its features.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! serde_words {
    ($name:ident) => {
        impl $crate::text::serde::Serialize for $name {
            fn serialize<S: $crate::text::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl<'de> $crate::text::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::text::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$name, D::Error> {
                $crate::text::read_word(deserializer, $name::WORDS)
            }
        }
    };
}

#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! serde_words {
    ($name:ident) => {};
}

/// Reads one of the words of an enum, as [`words!`] does it.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub fn read_word<'de, W: Word, D: serde::Deserializer<'de>>(
    deserializer: D,
    words: &'static [&'static str],
) -> Result<W, D::Error> {
    use serde::de::{Deserialize, Error};
    let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
    W::named(&text).ok_or_else(|| Error::unknown_variant(&text, words))
}
