//! Which tools can be among the nearest to a question, by one product of matrices for a whole batch of questions.
//! INVARIANT: who is left out is not among them. The product rounds otherwise than `index::cosine`, by no more than a bound on the
//! rounding of a sum of products; everybody within that bound stays, to be compared exactly.

use ndarray::{Array2, ArrayView1, Axis};

/// Fewer tools than this are all compared exactly.
const FEW: usize = 64;
/// Rows of one product: they stay in the processor's cache while it is made.
const BLOCK: usize = 256;

/// For each question of a batch, who is left.
pub(super) struct Screen {
    /// How many tools there are.
    tools: usize,
    /// By question the places of those that are left; nothing where everybody is.
    left: Option<Vec<Vec<usize>>>,
}

impl Screen {
    /// From the vectors of the questions and the rows of each tool. Leaves at least the `most` nearest tools of each question.
    pub(super) fn new<'r>(
        questions: &[&[f32]],
        tools: impl ExactSizeIterator<Item = &'r [&'r [f32]]> + Clone,
        most: usize,
    ) -> Self {
        let count = tools.len();
        let left = (count >= FEW.max(most)).then(|| screened(questions, tools, most)).flatten();
        Self { tools: count, left }
    }

    /// The places of the tools that are left for this question.
    pub(super) fn passes(&self, question: usize) -> Box<dyn Iterator<Item = usize> + '_> {
        match &self.left {
            None => Box::new(0..self.tools),
            Some(left) => Box::new(left.get(question).into_iter().flatten().copied()),
        }
    }
}

/// Nothing where vectors are of different lengths.
fn screened<'r>(
    questions: &[&[f32]],
    tools: impl ExactSizeIterator<Item = &'r [&'r [f32]]> + Clone,
    most: usize,
) -> Option<Vec<Vec<usize>>> {
    let numbers = questions.first()?.len();
    let asked = Array2::from_shape_vec((questions.len(), numbers), questions.concat()).ok()?;
    let mut nearness = Array2::<f32>::zeros((questions.len(), tools.len()));
    let mut longest = 0.0_f32;
    let rows: Vec<(usize, &[f32])> =
        tools.enumerate().flat_map(|(tool, rows)| rows.iter().map(move |row| (tool, *row))).collect();
    for block in rows.chunks(BLOCK) {
        let flat: Vec<f32> = block.iter().flat_map(|(_, row)| row.iter().copied()).collect();
        let matrix = Array2::from_shape_vec((block.len(), numbers), flat).ok()?;
        longest = matrix.axis_iter(Axis(0)).map(length).fold(longest, f32::max);
        let product = matrix.dot(&asked.t());
        for ((tool, _), cosines) in block.iter().zip(product.axis_iter(Axis(0))) {
            let best = nearness.column_mut(*tool);
            best.into_iter().zip(cosines).for_each(|(best, cosine)| *best = highest(*best, *cosine));
        }
    }
    let of_question = |(nearness, asked): (ArrayView1<'_, f32>, ArrayView1<'_, f32>)| {
        left(&nearness.to_vec(), most, rounding(numbers) * longest * length(asked))
    };
    Some(nearness.axis_iter(Axis(0)).zip(asked.axis_iter(Axis(0))).map(of_question).collect())
}

/// Not a number stays one, so that it is seen.
fn highest(best: f32, cosine: f32) -> f32 {
    if cosine > best || cosine.is_nan() { cosine } else { best }
}

fn length(row: ArrayView1<'_, f32>) -> f32 {
    row.dot(&row).sqrt()
}

/// How far two sums of so many products of unit vectors can be apart that were rounded in different orders: each is off by at most
/// n u |x| |y|, u being half of `f32::EPSILON` (Higham, Accuracy and Stability of Numerical Algorithms, 3.1); and as much again.
fn rounding(numbers: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a vector has some hundred numbers")]
    let numbers = numbers as f32;
    2.0 * numbers * f32::EPSILON
}

/// Those that are no farther than the last of the `most` nearest, give or take what both may be off.
fn left(nearness: &[f32], most: usize, off: f32) -> Vec<usize> {
    if !off.is_finite() || nearness.iter().any(|cosine| !cosine.is_finite()) {
        return (0..nearness.len()).collect();
    }
    let mut sorted = nearness.to_vec();
    let (_, last, _) = sorted.select_nth_unstable_by(most - 1, |a, b| b.total_cmp(a));
    let least = *last - 2.0 * off;
    nearness.iter().enumerate().filter(|(_, cosine)| **cosine >= least).map(|(tool, _)| tool).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::index::cosine;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_nearest_are_always_left(
            questions in vec(vec(-1.0_f32..1.0, 21), 1..5),
            tools in vec(vec(vec(-1.0_f32..1.0, 21), 0..4), 60..120),
            most in 1_usize..20,
        ) {
            let asked: Vec<&[f32]> = questions.iter().map(Vec::as_slice).collect();
            let rows: Vec<Vec<&[f32]>> = tools.iter().map(|rows| rows.iter().map(Vec::as_slice).collect()).collect();
            let screen = Screen::new(&asked, rows.iter().map(Vec::as_slice), most);
            for (at, question) in asked.iter().enumerate() {
                let exact: Vec<f64> =
                    rows.iter().map(|rows| rows.iter().map(|row| cosine(question, row)).fold(0.0, f64::max)).collect();
                let mut sorted = exact.clone();
                sorted.sort_by(|a, b| b.total_cmp(a));
                let passes: Vec<usize> = screen.passes(at).collect();
                let nearest = (0..exact.len()).filter(|tool| exact[*tool] >= sorted[most - 1]);
                prop_assert!(nearest.into_iter().all(|tool| passes.contains(&tool)));
                prop_assert!(rows.len() < FEW || sorted[most - 1] == 0.0 || passes.len() < most + 5);
            }
        }
    }

    #[test]
    fn nobody_is_left_out_where_a_number_is_none() {
        let row = [0.6_f32, 0.8];
        let broken = [f32::NAN, 0.1];
        let mut tools: Vec<Vec<&[f32]>> = vec![vec![&row]; 80];
        tools[7] = vec![&broken];
        let asked: [&[f32]; 1] = [&row];
        assert_eq!(Screen::new(&asked, tools.iter().map(Vec::as_slice), 3).passes(0).count(), 80);
        let short = [1.0_f32];
        tools[7] = vec![&short];
        assert_eq!(Screen::new(&asked, tools.iter().map(Vec::as_slice), 3).passes(0).count(), 80);
    }
}
