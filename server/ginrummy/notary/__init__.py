"""The notary: the log's tree as it grows, what is signed of it, and proofs for whoever asks."""
