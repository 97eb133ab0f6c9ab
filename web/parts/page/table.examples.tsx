import { Badge } from './badge.tsx';
import { Card } from './page.tsx';
import { type Column, Table } from './table.tsx';

type Person = { id: number; name: string; phone: string; city: string; sent: number };

const people: Person[] = [
  { id: 1, name: 'Ada Lovelace', phone: '+44 20 7946 0001', city: 'London', sent: 12 },
  { id: 2, name: 'Zoë O’Connor', phone: '+353 1 2000 0002', city: 'Dublin', sent: 1_283 },
  { id: 3, name: 'Grace Brewster Murray Hopper', phone: '+1 202 555 0103', city: '', sent: 0 },
];
const ignore = () => {};

const columns: Column<Person>[] = [
  {
    key: 'name',
    title: 'Name',
    isRowHeader: true,
    sort: { direction: 'descending', onSort: ignore },
    cell: ({ name }) => <bdi>{name}</bdi>,
  },
  {
    key: 'phone',
    title: 'Phone',
    look: 'figures',
    cell: ({ phone }) => <bdi className="figures">{phone}</bdi>,
  },
  {
    key: 'city',
    title: 'City',
    look: 'hidden sm:table-cell text-muted',
    cell: ({ city }) => city && <Badge>{city}</Badge>,
  },
  {
    key: 'sent',
    title: 'Sent',
    sort: { direction: undefined, onSort: ignore },
    cell: ({ sent }) => sent,
  },
];

export const sorted = (
  <Card title="Contacts" flush>
    <Table
      caption="Contacts"
      columns={columns}
      items={people}
      keyOf={({ id }) => id}
      isCurrent={({ id }) => id === 2}
    />
  </Card>
);
export const withTicks = (
  <Card flush>
    <Table
      caption="Contacts to select"
      columns={columns.slice(0, 2)}
      items={people}
      keyOf={({ id }) => id}
      isFixed
      ticks={{
        ticked: new Set([1, 3]),
        onTick: ignore,
        idOf: ({ id }) => id,
        labelAll: 'Select all',
        labelOf: ({ name }) => `Select ${name}`,
      }}
    />
  </Card>
);
