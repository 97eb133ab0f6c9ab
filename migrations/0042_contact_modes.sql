-- A topic's contact action can now be `automatic` (guests replace nothing), `upsert`, `fill` or `none`.
-- So far `upsert` was the default and the only action besides `none`, so nobody chose it over `fill`.
update store_topics
set action = jsonb_set(action, '{contact,mode}', '"automatic"')
where action #>> '{contact,mode}' = 'upsert';
