"""How people and agents come in: a request in, a rendered answer out, nothing else."""
