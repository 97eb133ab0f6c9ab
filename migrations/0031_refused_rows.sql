-- The first refused rows of an import: [{"line", "faults": [{"field", "code", "text", "values"}]}], so that the
-- dashboard can word the reasons. The report has all of them, in the service's own words.

alter table contact_imports add column refused_rows jsonb;
