"""What was lost: findings, the read-back audit that computes them, and the forms a person or a machine reads."""
