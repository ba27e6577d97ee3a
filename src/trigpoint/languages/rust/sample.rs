//! A small orchard that exercises the forms that are easy to miss.
#![allow(dead_code)]

use std::{
    collections::HashMap,
    fmt::{self, Display as Show},
    io::{Read as _, *},
};
use crate::soil::{self, Bed, deep::Clay as Earth};
use super::weather;
pub use self::fruit::Fruit;
pub(crate) use crate::tools::*;
extern crate grafting as graft;

mod soil;
#[path = "odd/place.rs"]
pub mod elsewhere;

/// How many rows there may be.
pub const ROWS: usize = 12;
static mut COUNT: u32 = 0;

/// What can be picked.
///
/// A second paragraph.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(test, allow(unused))]
pub enum Crop {
    None,
    Loose(u32, Fruit),
    Boxed { label: String, weight: f32 },
}

pub struct Row<'a, T: Grow + 'a, const N: usize>
where
    T: Clone,
{
    /// Left to right.
    pub plants: [T; N],
    owner: Option<&'a Keeper>,
}

struct Keeper(pub String, u8);
struct Marker;

union Bits {
    word: u32,
    bytes: [u8; 4],
}

type Rows<T> = Vec<Row<'static, T, ROWS>>;

pub trait Grow: Send + soil::Rooted {
    const SEASON: u8 = 1;
    type Seed: Clone + Default;

    /// Declared only.
    fn sprout(&mut self, water: f32) -> Self::Seed;

    fn wait(&self) -> bool {
        self.ready() && !Self::late()
    }

    fn late() -> bool;
}

impl<'a, T, const N: usize> Row<'a, T, N>
where
    T: Grow + Clone,
{
    pub const fn new(plants: [T; N]) -> Self {
        Row { plants, owner: None }
    }

    pub(crate) async unsafe fn harvest<F>(&mut self, by: &Keeper, pick: F) -> Result<Vec<Crop>, fmt::Error>
    where
        F: Fn(&T) -> Crop,
    {
        let mut found: Vec<Crop> = Vec::with_capacity(N);
        let first = self.plants.first();
        for plant in self.plants.iter() {
            if plant.wait() || COUNT > 3 {
                found.push(pick(plant));
            }
        }
        let Some(best) = choose(&found) else {
            return Err(fmt::Error);
        };
        while let Some(next) = found.pop() {
            match next {
                Crop::None => continue,
                Crop::Loose(n, fruit) if n > 1 => weigh::<u32>(n),
                Crop::Boxed { label, .. } => log(label),
                other => drop(other),
            }
        }
        assert_eq!(count(&found), soil::Bed::total(2).max(3), "rows {}", ROWS);
        fn inner(x: u8) -> u8 {
            x
        }
        let twice = |x: u8| inner(x) * 2;
        <T as Grow>::late();
        by.report(twice, Self::rank).await?;
        self.owner = Some(by);
        Ok(vec![best.clone()])
    }
}

impl<'a, T: Grow, const N: usize> fmt::Display for Row<'a, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())
    }
}

impl Grow for &mut Keeper {
    type Seed = u8;

    fn sprout(&mut self, water: f32) -> u8 {
        water as u8
    }

    #[inline]
    fn late() -> bool {
        false
    }
}

impl !Send for Marker {}

impl<T> Grow for [T] {}

macro_rules! plant {
    ($name:ident) => {
        pub fn $name() -> Keeper {
            Keeper::hire(stringify!($name))
        }
    };
}

plant!(oak);

only_in_summer! {
    /// Inside a macro.
    pub fn sunbathe(minutes: u32) -> u32 {
        rest(minutes)
    }

    impl Keeper {
        fn nap(&self) {
            self.snore();
        }
    }
}

extern "C" {
    fn c_prune(depth: i32) -> i32;
}

mod tests {
    use super::*;

    #[tokio::test]
    async fn grows() {
        let keeper = Keeper(String::new(), 1);
        keeper.nap();
    }
}
