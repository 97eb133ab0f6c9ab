import { Ago } from '../../../../parts/ago.tsx';
import { contacts as texts } from '../../../../texts/contacts.ts';
import type { ContactData } from '../../api/records.ts';
import { StatusBadge } from '../labels/status-badge.tsx';
import { useLabels } from '../labels/use-labels.ts';
import { nameOf } from './name-of.ts';

export function ContactTable({
  contacts,
  selected,
  onSelect,
  onOpen,
}: {
  contacts: ContactData[];
  selected: ReadonlySet<number>;
  onSelect: (selected: ReadonlySet<number>) => void;
  onOpen: (contact: ContactData) => void;
}) {
  const { data: statuses = [] } = useLabels('statuses');
  const { data: sources = [] } = useLabels('sources');
  const { data: groups = [] } = useLabels('groups');
  const { columns } = texts;
  const allSelected = contacts.every((contact) => selected.has(contact.id));

  function toggle(id: number, on: boolean) {
    const next = new Set(selected);
    if (on) next.add(id);
    else next.delete(id);
    onSelect(next);
  }

  return (
    <table className="w-full table-fixed text-left">
      <caption className="sr-only">{texts.tableLabel}</caption>
      <thead className="border-b border-line text-sm text-muted">
        <tr>
          <th scope="col" className="w-11 py-2 pl-5">
            <input
              type="checkbox"
              aria-label={texts.selectAll}
              checked={allSelected}
              onChange={(event) =>
                onSelect(new Set(event.target.checked ? contacts.map(({ id }) => id) : []))
              }
              className="size-4 accent-accent"
            />
          </th>
          <th scope="col" className="px-3 py-2 font-medium">
            {columns.name}
          </th>
          <th scope="col" className="hidden w-40 px-3 py-2 font-medium sm:table-cell">
            {columns.phone}
          </th>
          <th scope="col" className="w-32 px-3 py-2 font-medium">
            {columns.status}
          </th>
          <th scope="col" className="hidden w-36 px-3 py-2 font-medium md:table-cell">
            {columns.source}
          </th>
          <th scope="col" className="hidden w-48 px-3 py-2 font-medium xl:table-cell">
            {columns.groups}
          </th>
          <th scope="col" className="hidden w-36 px-3 py-2 pr-5 font-medium lg:table-cell">
            {columns.created}
          </th>
        </tr>
      </thead>
      <tbody>
        {contacts.map((contact) => {
          const status = statuses.find(({ id }) => id === contact.status_id);
          return (
            <tr
              key={contact.id}
              className="border-b border-line last:border-b-0 hover:bg-sunken/60"
            >
              <td className="py-2.5 pl-5 align-top">
                <input
                  type="checkbox"
                  aria-label={texts.select(nameOf(contact))}
                  checked={selected.has(contact.id)}
                  onChange={(event) => toggle(contact.id, event.target.checked)}
                  className="mt-1 size-4 accent-accent"
                />
              </td>
              <td className="px-3 py-2.5 align-top">
                <button
                  type="button"
                  dir="auto"
                  onClick={() => onOpen(contact)}
                  className="block max-w-full truncate text-left font-medium hover:underline"
                >
                  {nameOf(contact)}
                </button>
                <span className="figures block truncate text-sm text-muted sm:hidden">
                  {contact.phone}
                </span>
                <span dir="auto" className="hidden truncate text-sm text-muted sm:block">
                  {[contact.company, contact.email].filter(Boolean).join(' · ')}
                </span>
              </td>
              <td className="figures hidden truncate px-3 py-2.5 align-top sm:table-cell">
                {contact.phone}
              </td>
              <td className="px-3 py-2.5 align-top">{status && <StatusBadge status={status} />}</td>
              <td
                dir="auto"
                className="hidden truncate px-3 py-2.5 align-top text-muted md:table-cell"
              >
                {sources.find(({ id }) => id === contact.source_id)?.name}
              </td>
              <td
                dir="auto"
                className="hidden truncate px-3 py-2.5 align-top text-muted xl:table-cell"
              >
                {groups
                  .filter(({ id }) => contact.group_ids.includes(id))
                  .map(({ name }) => name)
                  .join(', ')}
              </td>
              <td className="hidden truncate px-3 py-2.5 pr-5 align-top text-muted lg:table-cell">
                <Ago at={contact.created_at} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
