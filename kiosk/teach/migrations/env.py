"""Run by Alembic: applies the steps on the connection that the program hands over."""

from alembic import context

from kiosk.teach.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
