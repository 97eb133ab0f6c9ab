-- What an import says beside its counts: the headings that mean no column, the labels that do not exist as
-- [{"label", "name", "rows"}], and how many rows have the phone of an earlier row.

alter table contact_imports
  add column ignored_columns jsonb,
  add column missing_labels jsonb,
  add column same_phone integer;
