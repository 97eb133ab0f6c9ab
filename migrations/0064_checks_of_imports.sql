-- An import that only checks its file: the rows that could be imported, and what its columns mean as
-- [{"heading", "column"}]. Both are null for other imports.

alter table contact_imports
  add column checked_rows integer,
  add column read_columns jsonb;
