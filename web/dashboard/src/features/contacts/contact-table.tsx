import { Tip } from '../../../../parts/overlays/tip.tsx';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Badge } from '../../../../parts/page/badge.tsx';
import { type Column, Table } from '../../../../parts/page/table.tsx';
import { contacts as t } from '../../../../texts/contacts.ts';
import { formatList } from '../../../../texts/format.ts';
import type { ContactData, LabelData } from '../../api/records.ts';
import { StatusBadge } from '../labels/status-badge.tsx';
import { useLabels } from '../labels/use-labels.ts';
import { nameOf } from './name-of.ts';
import type { ContactSort } from './search.ts';

const byTime = {
  created_at: 'ascending',
  '-created_at': 'descending',
  firstname: undefined,
} as const;

export function ContactTable({
  contacts,
  selected,
  onSelect,
  onOpen,
  sort,
  onSort,
}: {
  contacts: ContactData[];
  selected: ReadonlySet<number>;
  onSelect: (selected: ReadonlySet<number>) => void;
  onOpen: (contact: ContactData) => void;
  sort: ContactSort | undefined;
  onSort: (sort: ContactSort | undefined) => void;
}) {
  const { data: statuses = [] } = useLabels('statuses');
  const { data: sources = [] } = useLabels('sources');
  const { data: groups = [] } = useLabels('groups');
  const columns: Column<ContactData>[] = [
    {
      key: 'name',
      title: t('columns.name'),
      isRowHeader: true,
      sort: {
        direction: sort === 'firstname' ? 'ascending' : undefined,
        onSort: () => onSort(sort === 'firstname' ? undefined : 'firstname'),
      },
      cell: (contact) => <Name contact={contact} onOpen={onOpen} />,
    },
    {
      key: 'phone',
      title: t('columns.phone'),
      look: 'figures hidden w-40 truncate sm:table-cell',
      cell: ({ phone, username }) => phone ?? username,
    },
    {
      key: 'status',
      title: t('columns.status'),
      look: 'w-40 truncate',
      cell: ({ status_id }) => {
        const status = statuses.find(({ id }) => id === status_id);
        return status && <StatusBadge status={status} />;
      },
    },
    {
      key: 'source',
      title: t('columns.source'),
      look: 'hidden w-42 wrap-anywhere text-muted md:table-cell',
      cell: ({ source_id }) => <bdi>{sources.find(({ id }) => id === source_id)?.name}</bdi>,
    },
    {
      key: 'groups',
      title: t('columns.groups'),
      look: 'hidden w-52 text-muted min-[90rem]:table-cell',
      cell: ({ group_ids }) => (
        <Groups groups={groups.filter(({ id }) => group_ids.includes(id))} />
      ),
    },
    {
      key: 'created',
      title: t('columns.created'),
      sort: {
        direction: byTime[sort ?? '-created_at'],
        onSort: () => onSort(sort === undefined ? 'created_at' : undefined),
      },
      look: 'hidden w-40 whitespace-nowrap text-muted xl:table-cell',
      cell: ({ created_at }) => <Ago at={created_at} />,
    },
  ];
  return (
    <Table
      caption={t('tableLabel')}
      columns={columns}
      items={contacts}
      keyOf={({ id }) => id}
      isFixed
      ticks={{
        ticked: selected,
        onTick: onSelect,
        idOf: ({ id }) => id,
        labelAll: t('selectAll'),
        labelOf: (contact) => t('select', { name: nameOf(contact) }),
      }}
    />
  );
}

function Name({
  contact,
  onOpen,
}: {
  contact: ContactData;
  onOpen: (contact: ContactData) => void;
}) {
  return (
    <>
      <button
        type="button"
        dir="auto"
        onClick={() => onOpen(contact)}
        className="block text-start font-medium wrap-anywhere hover:underline"
      >
        {nameOf(contact)}
      </button>
      <span className="figures block truncate text-sm text-muted sm:hidden">
        {contact.phone ?? contact.username}
      </span>
      <span dir="auto" className="hidden truncate text-sm text-muted sm:block">
        {[contact.company, contact.email].filter(Boolean).join(' · ')}
      </span>
    </>
  );
}

const shownGroups = 2;

/** The first groups, and how many more there are. */
function Groups({ groups }: { groups: LabelData[] }) {
  const rest = groups.slice(shownGroups);
  return (
    <span className="flex flex-wrap gap-1">
      {groups.slice(0, shownGroups).map(({ id, name }) => (
        <span
          key={id}
          dir="auto"
          className="rounded-full bg-sunken px-2 py-0.5 text-xs font-medium wrap-anywhere"
        >
          {name}
        </span>
      ))}
      {rest.length > 0 && (
        <Tip words={formatList(rest.map(({ name }) => name))} opensByPress>
          <button type="button">
            <Badge>{t('moreGroups', { count: rest.length })}</Badge>
          </button>
        </Tip>
      )}
    </span>
  );
}
