-- Label names are compared as a search compares texts: "Straße" and "STRASSE" are one name, and so are
-- "IŞIK" and "ışık". Where a tenant already has both, the older label keeps its name. The younger one
-- becomes "name (2)", or the next number that is free.

-- PostgreSQL builds an index, and restores one from a dump, without our schema in the search path. So
-- the function names the schema of the one that it calls; otherwise it is as in 0030.
do $$
begin
  execute format($function$
    create or replace function searchable(value text) returns text
    language plpgsql immutable strict parallel safe as $body$
    begin
      -- Most texts are ASCII only. This takes a tenth of the time.
      if octet_length(value) = length(value) then
        return lower(value collate "C");
      end if;
      value := %I.folded(value);
      -- These characters are rare, and translating takes longer than looking for them.
      if value ~ '[ıſßάέήίόύώϊϋΐΰ]|i\u0307' then
        value := translate(value, 'ıſάέήίόύώϊϋΐΰ', 'isαεηιουωιυιυ');
        value := replace(replace(value, 'ß', 'ss'), U&'i\0307', 'i');
      end if;
      return value;
    end $body$ $function$, current_schema());
end $$;

do $$
declare
  _kind text;
  _label record;
  _number integer;
  _renamed integer;
begin
  foreach _kind in array array['statuses', 'sources', 'groups'] loop
    for _label in execute format($query$
      select tenant_id, id, name
      from (
        select tenant_id, id, name,
               row_number() over (partition by tenant_id, searchable(name) order by id) as place
        from %I where deleted_at is null
      ) as labels
      where place > 1
      order by tenant_id, id $query$, _kind)
    loop
      _number := 2;
      loop
        -- A name has at most 255 characters.
        execute format($query$
          update %1$I set name = $3, updated_at = now()
          where tenant_id = $1 and id = $2 and not exists (
            select from %1$I as other
            where other.tenant_id = $1 and other.deleted_at is null
              and searchable(other.name) = searchable($3)) $query$, _kind)
        using _label.tenant_id, _label.id,
              left(_label.name, 255 - length(' (' || _number || ')')) || ' (' || _number || ')';
        get diagnostics _renamed = row_count;
        exit when _renamed = 1;
        _number := _number + 1;
      end loop;
    end loop;
  end loop;
end $$;

drop index statuses_name;
drop index sources_name;
drop index groups_name;
create unique index statuses_name on statuses (tenant_id, searchable(name)) where deleted_at is null;
create unique index sources_name on sources (tenant_id, searchable(name)) where deleted_at is null;
create unique index groups_name on groups (tenant_id, searchable(name)) where deleted_at is null;
