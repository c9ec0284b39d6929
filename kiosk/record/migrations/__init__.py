"""Steps that bring a record to the form that this version writes (Alembic)."""
