//! Dense symmetric matrices of the size of a roster.

#[derive(Debug, Clone)]
pub(crate) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.size + j]
    }
}
