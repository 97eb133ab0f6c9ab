-- Why the network rejected a template, in its word, such as `INVALID_FORMAT`. Null if it gives no reason.
alter table templates add column rejected_reason text;
