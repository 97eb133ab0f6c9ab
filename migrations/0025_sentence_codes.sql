-- The code and the values of a stored sentence, beside its text (src/platform/errors/fault.ts). A sentence that an
-- earlier release stored has none, and is shown as it is.

alter table numbers add column problem_says jsonb;
alter table webhooks add column off_says jsonb;
alter table delivery_attempts add column reason_says jsonb;
alter table store_events add column reason_says jsonb;
alter table bot_answers add column reason_says jsonb;
alter table contact_imports add column problem_says jsonb;
alter table contact_bulk_changes add column problem_says jsonb;
alter table template_syncs add column problem_says jsonb;
