"""Steps that bring a database of people to the form that this version writes (Alembic)."""
