import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, buttonLook } from '../../../../parts/buttons/button.tsx';
import { CheckField } from '../../../../parts/fields/field.tsx';
import { FilterChoice } from '../../../../parts/fields/filter-choice.tsx';
import { SearchField } from '../../../../parts/fields/search-field.tsx';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Badge, type Tone } from '../../../../parts/page/badge.tsx';
import { Card, EmptyState, Notice, Page } from '../../../../parts/page/page.tsx';
import { formatList } from '../../../../texts/format.ts';
import { shell } from '../../../../texts/shell.ts';
import { templates as t } from '../../../../texts/templates.ts';
import { textOr } from '../../../../texts/translator.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { TemplateData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { useNumbers } from '../numbers/use-numbers.ts';
import type { TemplateSearch } from './search.ts';
import { TemplatePreview } from './template-preview.tsx';
import { type Account, fieldsOf, useAccounts, useTemplates } from './use-templates.ts';

/** The templates as the network has them; they are made there. */
export function TemplatesPage() {
  const { slug, api } = useTenant();
  const search: TemplateSearch = useSearch({ from: '/t/$tenant/templates' });
  const accounts = useAccounts();
  const isGone = accounts.length > 0 && accounts.every((each) => each.number !== search.number);
  const number = isGone ? undefined : search.number;
  const templates = useTemplates(number);
  const navigate = useNavigate({ from: '/t/$tenant/templates' });
  const sync = useAction(() => api.post('/template-overview/sync'), {
    done: (counts) => t('synced', { templates: counts.templates, approved: counts.approved }),
    refresh: [api.key('/template-overview')],
  });
  const { data } = templates;
  const wanted = (search.q ?? '').toLowerCase();
  const shown = (data?.templates ?? []).filter(
    (each) =>
      each.name.toLowerCase().includes(wanted) && (!search.approved || each.status === 'APPROVED'),
  );
  const change = (part: TemplateSearch) =>
    void navigate({ search: { ...search, ...part }, replace: true });
  const syncButton = (
    <Button busy={sync.busy} onClick={() => sync.run()}>
      {t('sync')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      intro={t.rich('intro', {
        manager: (words) => (
          <a
            href="https://business.facebook.com/wa/manage/message-templates/"
            target="_blank"
            rel="noreferrer"
            className="underline"
          >
            {words}
          </a>
        ),
      })}
      actions={
        <>
          <AccountSelect
            accounts={accounts}
            value={number}
            onChange={(chosen) => change({ number: chosen })}
          />
          {data && data.templates.length > 0 && syncButton}
        </>
      }
      wide
    >
      {data?.problem && (
        <Notice
          tone="warn"
          title={t('syncProblem')}
          action={
            <Link
              to="/t/$tenant/numbers"
              params={{ tenant: slug }}
              className={buttonLook('plain', true)}
            >
              {shell('nav.numbers')}
            </Link>
          }
        >
          <Said says={data.problem_says} text={data.problem} />
        </Notice>
      )}
      <Loaded
        query={templates}
        lines={6}
        isEmpty={data?.templates.length === 0}
        empty={
          <Card>
            <NoTemplates sync={syncButton} />
          </Card>
        }
      >
        {({ synced_at: syncedAt }) => (
          <>
            <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
              <div className="w-full max-w-72">
                <SearchField
                  label={t('search')}
                  placeholder={t('search')}
                  value={search.q ?? ''}
                  onSearch={(q) => change({ q: q || undefined })}
                />
              </div>
              <CheckField
                label={t('onlyApproved')}
                checked={search.approved ?? false}
                onChange={({ target }) => change({ approved: target.checked || undefined })}
              />
              <p className="text-sm text-muted">
                {syncedAt
                  ? t.rich('lastSync', { ago: () => <Ago at={syncedAt} /> })
                  : t('neverSynced')}
              </p>
            </div>
            {shown.length === 0 && <p className="text-muted">{t('nothing')}</p>}
            <ul className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
              {shown.map((template) => (
                <li key={template.id}>
                  <Template template={template} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Chooses the account whose templates are shown, if the numbers belong to several. */
function AccountSelect({
  accounts,
  value,
  onChange,
}: {
  accounts: Account[];
  value: number | undefined;
  onChange: (number: number | undefined) => void;
}) {
  if (accounts.length < 2) return null;
  const wordsOf = ({ names }: Account) => t('accountOf', { numbers: formatList(names) });
  const main = accounts.find(({ number }) => number === undefined);
  return (
    <FilterChoice
      label={t('account')}
      any={main && wordsOf(main)}
      value={value}
      choices={accounts.flatMap((each) =>
        each.number === undefined ? [] : { value: each.number, words: wordsOf(each) },
      )}
      onChoose={onChange}
      className="max-w-72"
    />
  );
}

/** Templates come with a number. */
function NoTemplates({ sync }: { sync: ReactNode }) {
  const { slug } = useTenant();
  const { data } = useNumbers();
  const hasNone = data?.numbers.length === 0;
  return (
    <EmptyState
      icon={FileText}
      title={hasNone ? t('noNumberTitle') : t('emptyTitle')}
      action={
        hasNone ? (
          <Link to="/t/$tenant/numbers" params={{ tenant: slug }} className={buttonLook('primary')}>
            {t('connectNumber')}
          </Link>
        ) : (
          sync
        )
      }
    >
      {hasNone ? t('noNumberText') : t('emptyText')}
    </EmptyState>
  );
}

function toneOf(status: string): Tone {
  if (status === 'APPROVED') return 'good';
  return ['REJECTED', 'DISABLED', 'PAUSED'].includes(status) ? 'bad' : 'warn';
}

function Template({ template }: { template: TemplateData }) {
  const fields = fieldsOf(template);
  return (
    <article className="flex h-full flex-col gap-3 rounded-xl border border-line bg-surface p-4 shadow-card">
      <header>
        <h2 className="font-semibold wrap-anywhere">{template.name}</h2>
        <p className="mt-1 flex flex-wrap items-center gap-1.5">
          <Badge tone={toneOf(template.status)}>
            {textOr(t, `states.${template.status}`, template.status)}
          </Badge>
          <Badge>{template.language}</Badge>
          <Badge>{textOr(t, `categories.${template.category}`, template.category)}</Badge>
        </p>
      </header>
      <TemplatePreview template={template} />
      {template.status === 'REJECTED' && template.rejected_reason && (
        <p className="text-sm text-bad">
          {textOr(
            t,
            `rejections.${template.rejected_reason}`,
            t('rejected', { reason: template.rejected_reason }),
          )}
        </p>
      )}
      {template.cannot_send && (
        <p className="text-sm text-warn">
          <Said
            says={template.cannot_send_says}
            text={t('cannotSend', { part: template.cannot_send })}
          />
        </p>
      )}
      {fields.length > 0 && (
        <p className="mt-auto text-sm text-muted">
          {fields.map(({ number, name }) => (
            <span key={number} className="mr-3 inline-block font-mono text-xs">
              field_{number}
              {name !== String(number) && ` = ${name}`}
            </span>
          ))}
        </p>
      )}
    </article>
  );
}
