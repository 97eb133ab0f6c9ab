import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { PenLine } from 'lucide-react';
import { FilterChoice } from '../../../../parts/fields/filter-choice.tsx';
import { Card, EmptyState, Page } from '../../../../parts/page/page.tsx';
import { rowLook } from '../../../../parts/page/row.tsx';
import { audit as t } from '../../../../texts/audit.ts';
import { textsOf } from '../../../../texts/translator.ts';
import { Loaded } from '../../api/loaded.tsx';
import { More } from '../../api/more.tsx';
import { ResultStatus } from '../../api/result-status.tsx';
import { useTenant } from '../../session.ts';
import { LongList } from '../../shell/long-list.tsx';
import { AuditEntry, actorName } from './audit-entry.tsx';
import { type AuditSearch, auditQuery } from './search.ts';

/** Who changed what of the tenant. The address has the filter. */
export function AuditPage() {
  const { api } = useTenant();
  const search: AuditSearch = useSearch({ from: '/t/$tenant/audit' });
  const navigate = useNavigate({ from: '/t/$tenant/audit' });
  const audit = useInfiniteQuery({
    ...auditQuery(api, search),
    placeholderData: keepPreviousData,
  });
  const { data: known } = useQuery(api.asked('/audit/actors'));
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  const isFiltered = search.kind !== undefined || search.actor !== undefined;

  function change(part: AuditSearch): void {
    void navigate({ search: { ...search, ...part }, replace: true, resetScroll: false });
  }

  return (
    <Page title={t('title')} intro={t('intro')}>
      <Card flush>
        <search className="flex flex-wrap gap-2 border-b border-line p-5">
          <FilterChoice
            label={t('actor')}
            any={t('anyActor')}
            value={search.actor}
            choices={(known?.actors ?? []).map((actor) => ({
              value: actor.id === null ? actor.kind : `${actor.kind}:${actor.id}`,
              words: actorName(actor),
            }))}
            onChoose={(actor) => change({ actor })}
          />
          <FilterChoice
            label={t('kind')}
            any={t('anyKind')}
            value={search.kind}
            choices={Object.entries(textsOf(t, 'kinds')).map(([value, words]) => ({
              value: value as NonNullable<AuditSearch['kind']>,
              words,
            }))}
            onChoose={(kind) => change({ kind })}
          />
        </search>
        <ResultStatus query={audit} filter={search} count={entries.length} />
        <Loaded
          query={audit}
          lines={5}
          inset="p-5"
          isEmpty={entries.length === 0}
          empty={
            isFiltered ? (
              <p className="px-5 py-8 text-center text-muted">{t('nothing')}</p>
            ) : (
              <EmptyState icon={PenLine} title={t('emptyTitle')}>
                {t('emptyText')}
              </EmptyState>
            )
          }
        >
          {() => (
            <LongList items={entries} keyOf={({ id }) => id} rowClass={rowLook}>
              {(entry) => <AuditEntry entry={entry} />}
            </LongList>
          )}
        </Loaded>
        <More query={audit} className="border-t border-line px-5 py-3" />
      </Card>
    </Page>
  );
}
