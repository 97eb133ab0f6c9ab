-- The operator can pause a store: its posts are stored, and processed when it is resumed.
alter table stores
  add column paused_since timestamptz,
  -- What the operator tells the tenant about it.
  add column pause_reason text;
