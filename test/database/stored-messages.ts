/**
 * A view of messages with their states, for tests that look at stored rows or bring about a state that takes
 * long to reach. Inserts through it do what the statements of the service do: they also keep the conversation.
 */
export const storedMessagesView = `
  create view test_clock.stored_messages as
    select messages.tenant_id, messages.id, number_id, messages.created_at, direction,
           coalesce(messages.phone, messages.person) as phone, kind, content, token_id, run_id,
           coalesce(status, 'accepting') as status, network_id, error, sent_at, delivered_at,
           read_at, failed_at
    from messages left join message_states as state
      on state.tenant_id = messages.tenant_id and state.message_id = messages.id;

  create function test_clock.insert_message() returns trigger language plpgsql as $$
  declare
    _person text := phone_identity(new.phone);
  begin
    new.id := coalesce(new.id, nextval('messages_id_seq'));
    new.created_at := coalesce(new.created_at, now());
    insert into messages (tenant_id, id, number_id, created_at, direction, person, phone, kind, content,
                          token_id, run_id)
    values (new.tenant_id, new.id, new.number_id, new.created_at, new.direction, _person,
            nullif(new.phone, _person), new.kind, new.content, new.token_id, new.run_id);
    perform test_clock.store_state(new);
    insert into conversations as known (tenant_id, person, number_id, last_message_id, phone,
                                        first_inbound_id, unread, is_open)
    values (new.tenant_id, _person, new.number_id, new.id, nullif(new.phone, _person),
            case when new.direction = 'in' then new.id end, (new.direction = 'in')::int,
            new.direction = 'in')
    on conflict (tenant_id, person) do update set
      last_message_id = excluded.last_message_id, number_id = excluded.number_id,
      phone = excluded.phone,
      first_inbound_id = coalesce(known.first_inbound_id, excluded.first_inbound_id),
      unread = known.unread + excluded.unread, is_open = known.is_open or excluded.is_open;
    if new.direction = 'in' then
      insert into conversation_windows as latest (tenant_id, person, number_id, last_inbound_at)
      values (new.tenant_id, _person, new.number_id, new.created_at)
      on conflict (tenant_id, person, number_id) do update
        set last_inbound_at = greatest(latest.last_inbound_at, excluded.last_inbound_at);
    end if;
    return new;
  end $$;

  create function test_clock.store_state(_row test_clock.stored_messages) returns void
  language plpgsql as $$
  begin
    if _row.status = 'accepting' then
      delete from message_states where tenant_id = _row.tenant_id and message_id = _row.id;
    else
      insert into message_states (tenant_id, message_id, created_at, status, network_id, error, sent_at,
                                  delivered_at, read_at, failed_at)
      values (_row.tenant_id, _row.id, _row.created_at, _row.status, _row.network_id, _row.error,
              _row.sent_at, _row.delivered_at, _row.read_at, _row.failed_at)
      on conflict (tenant_id, message_id) do update set
        created_at = excluded.created_at, status = excluded.status,
        network_id = excluded.network_id, error = excluded.error, sent_at = excluded.sent_at,
        delivered_at = excluded.delivered_at, read_at = excluded.read_at,
        failed_at = excluded.failed_at;
    end if;
  end $$;

  create function test_clock.update_message() returns trigger language plpgsql as $$
  begin
    update messages set created_at = new.created_at, direction = new.direction
    where tenant_id = new.tenant_id and id = new.id;
    perform test_clock.store_state(new);
    return new;
  end $$;

  create trigger insert_message instead of insert on test_clock.stored_messages
    for each row execute function test_clock.insert_message();
  create trigger update_message instead of update on test_clock.stored_messages
    for each row execute function test_clock.update_message()`;
