//! Unit vectors parted by direction: spherical k-means (Dhillon and Modha, Concept Decompositions for Large Sparse Text Data, 2001)
//! from starting points by k-means++ (Arthur and Vassilvitskii, 2007), with a fixed seed. Sums run in the order that is given.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::index::cosine;

/// Most vectors that the middles are found from, taken evenly; the others go to the nearest middle.
const MOST_SAMPLED: usize = 2_000;
/// Rounds after which middles hardly move any more.
const ROUNDS: usize = 20;
/// Times that it begins anew; the tightest parting counts.
const STARTS: u64 = 4;
/// Fewest members of a part; what is smaller goes to its nearest neighbours.
const FEWEST: usize = 2;

/// How many parts so many things want: the root of half of them (Mardia, Kent and Bibby, Multivariate Analysis, 1979, 13.1).
pub(super) fn rule_of_thumb(things: usize) -> usize {
    ((things / 2).isqrt()).max(2)
}

/// The vector at length one; a vector without a direction stays.
pub(super) fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > f32::EPSILON {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}

/// The part of each vector, at most `count` of them.
pub(super) fn part(vectors: &[Vec<f32>], count: usize) -> Vec<usize> {
    let every = vectors.len().div_ceil(MOST_SAMPLED).max(1);
    let sampled: Vec<&[f32]> = vectors.iter().step_by(every).map(Vec::as_slice).collect();
    let all: Vec<&[f32]> = vectors.iter().map(Vec::as_slice).collect();
    let tried = (0..STARTS).map(|start| middles(&sampled, count, start));
    // The first of equals.
    let best = tried.reduce(|best, next| if next.1 > best.1 { next } else { best });
    let Some((mut middles, _)) = best else { return Vec::new() };
    loop {
        let nearest = assign(&all, &middles);
        let size = |middle: usize| nearest.iter().filter(|(at, _)| *at == middle).count();
        match (0..middles.len()).find(|middle| size(*middle) < FEWEST) {
            Some(small) if middles.len() > 1 => drop(middles.remove(small)),
            _ => return nearest.into_iter().map(|(at, _)| at).collect(),
        }
    }
}

/// Middles, and how near the vectors are to theirs in all.
fn middles(vectors: &[&[f32]], count: usize, start: u64) -> (Vec<Vec<f32>>, f64) {
    let mut middles = starts(vectors, count, start);
    let mut nearness = f64::MIN;
    for _ in 0..ROUNDS {
        let nearest = assign(vectors, &middles);
        let now: f64 = nearest.iter().map(|(_, near)| near).sum();
        if now <= nearness + 1e-9 {
            break;
        }
        nearness = now;
        for (number, middle) in middles.iter_mut().enumerate() {
            let members = vectors.iter().zip(&nearest).filter(|(_, (at, _))| *at == number);
            let mut sum = vec![0.0_f32; middle.len()];
            members.for_each(|(vector, _)| sum.iter_mut().zip(*vector).for_each(|(sum, value)| *sum += value));
            if sum.iter().any(|value| *value != 0.0) {
                *middle = unit(sum);
            }
        }
    }
    (middles, nearness)
}

/// The nearest middle of each vector and how near it is; the first of equals.
fn assign(vectors: &[&[f32]], middles: &[Vec<f32>]) -> Vec<(usize, f64)> {
    let nearest = |vector: &&[f32]| {
        let near = middles.iter().map(|middle| cosine(vector, middle)).enumerate();
        near.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).unwrap_or((0, 0.0))
    };
    vectors.par_iter().map(nearest).collect()
}

/// Starting points, each drawn with a chance that grows with its distance from those before it.
fn starts(vectors: &[&[f32]], count: usize, start: u64) -> Vec<Vec<f32>> {
    let mut draw = Draw(start);
    let first = vectors.get(draw.below(vectors.len()));
    let mut middles: Vec<Vec<f32>> = first.iter().map(|vector| vector.to_vec()).collect();
    let mut far: Vec<f64> = vec![f64::MAX; vectors.len()];
    while middles.len() < count {
        let Some(newest) = middles.last() else { break };
        for (far, vector) in far.iter_mut().zip(vectors) {
            *far = far.min((1.0 - cosine(vector, newest)).max(0.0));
        }
        let all: f64 = far.iter().sum();
        if all <= 1e-9 {
            break;
        }
        let mut wanted = draw.share() * all;
        let drawn = far.iter().position(|far| {
            wanted -= far;
            wanted < 0.0
        });
        let Some(vector) = vectors.get(drawn.unwrap_or(vectors.len().saturating_sub(1))) else { break };
        middles.push(vector.to_vec());
    }
    middles
}

/// SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014): the same draws everywhere.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        let drawn = self.next() % (count.max(1) as u64);
        usize::try_from(drawn).unwrap_or(0)
    }

    /// From 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are what a float holds")]
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_told_apart() {
        let near = |x: f32, y: f32, z: f32| unit(vec![x, y, z]);
        let vectors = [
            near(1.0, 0.1, 0.0),
            near(0.0, 1.0, 0.1),
            near(1.0, 0.0, 0.1),
            near(0.1, 1.0, 0.0),
            near(0.0, 0.1, 1.0),
            near(0.1, 0.0, 1.0),
        ];
        let parts = part(&vectors, 3);
        let same = |a: usize, b: usize| parts.get(a) == parts.get(b);
        assert!(same(0, 2) && same(1, 3) && same(4, 5) && !same(0, 1) && !same(1, 4) && !same(0, 4), "{parts:?}");
        assert_eq!(part(&vectors, 3), parts);
    }

    #[test]
    fn equal_vectors_are_one_part() {
        let vectors = vec![vec![1.0_f32, 0.0]; 9];
        assert_eq!(part(&vectors, 4), [0; 9]);
        assert_eq!(part(&[], 4), [0; 0]);
        assert_eq!([rule_of_thumb(6), rule_of_thumb(50), rule_of_thumb(200)], [2, 5, 10]);
    }
}
