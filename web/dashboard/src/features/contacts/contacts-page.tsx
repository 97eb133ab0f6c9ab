import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { UserRoundPlus, UserRoundSearch } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, buttonLook } from '../../../../parts/buttons/button.tsx';
import { Card, EmptyState, Page } from '../../../../parts/page/page.tsx';
import { contacts as t } from '../../../../texts/contacts.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { ContactData } from '../../api/records.ts';
import { ResultStatus } from '../../api/result-status.tsx';
import { useTenant } from '../../session.ts';
import { usePageCommand } from '../../shell/commands/page-commands.ts';
import { ContactFilters } from './contact-filters.tsx';
import { ContactTable } from './contact-table.tsx';
import { EditContact } from './editing/edit-contact.tsx';
import { OpenContact } from './editing/open-contact.tsx';
import { ImportContacts, ImportProgress } from './importing/import-contacts.tsx';
import { BulkBar } from './many/bulk-bar.tsx';
import { BulkProgress } from './many/bulk-progress.tsx';
import { MergedContacts } from './merging/merged-contacts.tsx';
import { Pager } from './pager.tsx';
import { contactsQuery } from './queries.ts';
import { type ContactSearch, filterOf, hasFilter, lastPageOf } from './search.ts';

const none: ReadonlySet<number> = new Set();

/** A page of the contacts. The address of the page has their filter, so that it can be shared. */
export function ContactsPage() {
  const { api, can } = useTenant();
  const search: ContactSearch = useSearch({ from: '/t/$tenant/contacts' });
  const navigate = useNavigate({ from: '/t/$tenant/contacts' });
  const [editing, setEditing] = useState<ContactData | 'new'>();
  const [importing, setImporting] = useState(false);
  usePageCommand('new-contact', () => setEditing('new'));
  usePageCommand('import-contacts', () => setImporting(true));
  const [ticks, setTicks] = useState({ at: search, ids: none });

  const found = useQuery({
    ...contactsQuery(api, search),
    placeholderData: keepPreviousData,
  });

  function change(next: ContactSearch, replace = false) {
    void navigate({ search: next, replace });
  }

  const shown = found.data?.data ?? [];
  const pagination = found.data?.pagination;
  const pages = found.isPlaceholderData ? undefined : pagination?.total_pages;
  // Such as when the only contact of the last page was deleted while it was open.
  const last = pages !== undefined && shown.length === 0 ? lastPageOf(search, pages) : undefined;
  const isFresh =
    pagination?.total === 0 && !found.isPlaceholderData && !search.q && !hasFilter(search);
  // Only what one sees can be ticked, whichever way one came here: also by the browser's Back.
  const selected = new Set(
    shown.map(({ id }) => id).filter((id) => isSame(ticks.at, search) && ticks.ids.has(id)),
  );
  const add = (
    <>
      <Button onClick={() => setImporting(true)}>{t('import')}</Button>
      <Button look="primary" onClick={() => setEditing('new')}>
        {t('create')}
      </Button>
    </>
  );
  return (
    <Page
      title={t('title')}
      intro={
        pagination
          ? t('count', { count: pagination.total, more: String(pagination.more === true) })
          : '\u00a0'
      }
      actions={
        !isFresh && (
          <>
            <MergedContacts />
            {can('contacts:export') && (
              <a
                href={api.address('/contacts/export', { query: filterOf(search) })}
                // As a download, a refusal fails without leaving the page.
                download
                className={buttonLook('plain')}
              >
                {t('export')}
              </a>
            )}
            {add}
          </>
        )
      }
      wide
    >
      {last && <Navigate from="/t/$tenant/contacts" search={last} replace />}
      {!importing && <ImportProgress />}
      <BulkProgress />
      {!isFresh && <ContactFilters search={search} onChange={change} />}
      <ResultStatus
        query={found}
        filter={filterOf(search)}
        count={pagination?.total ?? 0}
        more={pagination?.more === true}
      />
      <Loaded
        query={last ? { data: undefined, error: null } : found}
        lines={10}
        isEmpty={shown.length === 0}
        empty={<NoContacts isFresh={isFresh} add={add} onClear={() => change({})} />}
      >
        {({ data }) => (
          <Card flush>
            <ContactTable
              contacts={data}
              selected={selected}
              onSelect={(ids) => setTicks({ at: search, ids })}
              onOpen={setEditing}
              sort={search.sort}
              onSort={(sort) => change({ ...search, sort, page: undefined })}
            />
          </Card>
        )}
      </Loaded>
      {pagination && pagination.total_pages > 1 && (
        <Pager
          page={pagination.page}
          pages={pagination.total_pages}
          onPage={(page) => {
            change({ ...search, page: page === 1 ? undefined : page });
            scrollTo({ top: 0 });
          }}
        />
      )}
      <BulkBar
        ids={[...selected]}
        matching={
          pagination && pagination.total > selected.size && selected.size === shown.length
            ? {
                filter: filterOf(search),
                total: pagination.total,
                more: pagination.more === true,
              }
            : undefined
        }
        onDone={() => setTicks({ at: search, ids: none })}
      />
      {importing && <ImportContacts onClose={() => setImporting(false)} />}
      {editing && (
        <EditContact
          contact={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {search.contact && (
        <OpenContact
          key={search.contact}
          id={search.contact}
          onClose={() =>
            void navigate({
              search: { ...search, contact: undefined },
              replace: true,
              // The form has asked already, or its contact is deleted.
              ignoreBlocker: true,
            })
          }
        />
      )}
    </Page>
  );
}

/** Says that there are no contacts yet, or that none pass the filter. */
function NoContacts({
  isFresh,
  add,
  onClear,
}: {
  isFresh: boolean;
  add: ReactNode;
  onClear: () => void;
}) {
  return (
    <Card>
      {isFresh ? (
        <EmptyState icon={UserRoundPlus} title={t('emptyTitle')} action={add}>
          {t('emptyText')}
        </EmptyState>
      ) : (
        <EmptyState
          icon={UserRoundSearch}
          title={t('nothingTitle')}
          action={<Button onClick={onClear}>{t('clear')}</Button>}
        >
          {t('nothingText')}
        </EmptyState>
      )}
    </Card>
  );
}

function isSame(one: ContactSearch, other: ContactSearch): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
