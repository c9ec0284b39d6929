"""Steps that bring the drills' file to its newest form, run by Alembic."""
