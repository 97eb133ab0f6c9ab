-- Conversations that were assigned before there was the column, which also count as taken.
update conversations set is_taken = true where assignee is not null and is_open and not is_taken;
