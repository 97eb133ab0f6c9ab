import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { CheckField, Field } from '../../../../../parts/fields/field.tsx';
import { Ago } from '../../../../../parts/page/ago.tsx';
import { Badge } from '../../../../../parts/page/badge.tsx';
import { Card } from '../../../../../parts/page/page.tsx';
import { Progress } from '../../../../../parts/page/progress.tsx';
import { common } from '../../../../../texts/common.ts';
import { contacts as t } from '../../../../../texts/contacts.ts';
import { formatList } from '../../../../../texts/format.ts';
import type { ContactImportData } from '../../../api/records.ts';
import { Said } from '../../../api/said.tsx';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useForm } from '../../../form/use-form.ts';
import { useTenant } from '../../../session.ts';
import { useLive } from '../../messages/conversations/live/use-live.tsx';
import { optionalFieldNames } from '../contact-fields.ts';
import { importsQuery } from '../queries.ts';
import { useSeenRun } from '../use-seen-run.ts';
import { RefusedRows } from './refused-rows.tsx';

const optionalColumns = ['firstname', ...optionalFieldNames, 'status', 'source', 'groups'];

const tones = { running: 'accent', done: 'good', failed: 'bad' } as const;

/** Takes a CSV file, and shows how far the service is with it and what it refused. */
export function ImportContacts({ onClose }: { onClose: () => void }) {
  const { api } = useTenant();
  const [started, setStarted] = useState(0);
  const imports = useImports();
  const isRunning = imports.data?.some((each) => each.state === 'running') ?? false;
  const form = useForm({
    values: { file: undefined as File | undefined, phones: false, labels: false, check: false },
    save: (_, { file, phones, labels, check }) => {
      if (!file) throw new Error('no file is chosen');
      const query = {
        filename: file.name,
        ...(phones && { phones: 'without_plus' as const }),
        ...(labels && { labels: 'create' as const }),
        ...(check && { check: 'only' as const }),
      };
      return api.post('/contacts/imports', { query, body: file });
    },
    refresh: [api.key('/contacts/imports')],
    // Not twice by accident: the field is empty again.
    onDone: () => setStarted((count) => count + 1),
  });
  const { value: file, errors, onChange } = form.field('file');

  return (
    <FormDialog
      form={form}
      // A chosen file is quickly chosen again.
      guarded={false}
      title={t('importTitle')}
      description={t('importText', { optional: formatList(optionalColumns) })}
      onClose={onClose}
      submit={t(form.values.check ? 'check' : 'import')}
      cancel={common('close')}
      disabled={!file || isRunning}
    >
      <Field label={t('file')} errors={errors}>
        {(described) => (
          <input
            {...described}
            key={started}
            type="file"
            accept=".csv,text/csv"
            required
            onChange={(event) => onChange(event.target.files?.[0])}
            className="w-full rounded-lg border border-line-strong/60 bg-surface p-1.5 text-sm file:mr-3 file:rounded-md file:border-0 file:bg-sunken file:px-3 file:py-1.5 file:text-ink"
          />
        )}
      </Field>
      <CheckField
        label={t('phonesWithoutPlus')}
        hint={t('phonesWithoutPlusHint')}
        checked={form.values.phones}
        onChange={({ target }) => form.set({ phones: target.checked })}
      />
      <CheckField
        label={t('createLabels')}
        hint={t('createLabelsHint')}
        checked={form.values.labels}
        onChange={({ target }) => form.set({ labels: target.checked })}
      />
      <CheckField
        label={t('onlyCheck')}
        hint={t('onlyCheckHint')}
        checked={form.values.check}
        onChange={({ target }) => form.set({ check: target.checked })}
      />
      {imports.data && imports.data.length > 0 && (
        <ul className="grid gap-3" aria-live="polite">
          {imports.data.map((each) => (
            <li key={each.id} className="rounded-xl border border-line px-4 py-3">
              <Import entry={each} />
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}

/**
 * The progress of an import after its dialog was closed, and its result if it was shown while running. The list
 * below shows what it has added.
 */
export function ImportProgress() {
  const { run: latest, isRunning, close } = useSeenRun(useImports().data);
  if (!latest) return null;
  return (
    <Card>
      <div role={isRunning ? undefined : 'status'}>
        <Import entry={latest} />
      </div>
      {!isRunning && (
        <div className="mt-3">
          <Button small onClick={close}>
            {common('close')}
          </Button>
        </div>
      )}
    </Card>
  );
}

function useImports() {
  const { api } = useTenant();
  const queries = useQueryClient();
  const isLive = useLive();
  return useQuery({
    ...importsQuery(api, queries),
    // No event says that a process died. The service notices it after a while.
    refetchInterval: ({ state: { data } }) =>
      data?.some((each) => each.state === 'running') && (isLive ? 30_000 : 1_000),
  });
}

/** What else a shop should know before it goes on: most of it is repaired by importing the file again. */
function Notes({ entry }: { entry: ContactImportData }) {
  const labels = entry.missing_labels.map((each) => t('missingLabel', each));
  const columns = entry.read_columns.map((each) => t('readColumn', each));
  const notes = [
    columns.length > 0 && t('readColumns', { columns: formatList(columns) }),
    entry.same_phone > 0 && t('samePhone', { count: entry.same_phone }),
    entry.ignored_columns.length > 0 &&
      t('ignoredColumns', { columns: formatList(entry.ignored_columns) }),
    labels.length > 0 && t('missingLabels', { labels: formatList(labels) }),
  ];
  return notes.map(
    (note) =>
      note && (
        <p key={note} className="mt-1 break-words text-sm text-muted">
          {note}
        </p>
      ),
  );
}

function Import({ entry }: { entry: ContactImportData }) {
  const { api } = useTenant();
  const share = entry.bytes === 0 ? 1 : entry.bytes_read / entry.bytes;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 break-all">{entry.filename}</span>
        <Badge tone={tones[entry.state]}>{t(`importStates.${entry.state}`)}</Badge>
        <span className="ml-auto text-sm text-muted">
          <Ago at={entry.started_at} />
        </span>
      </p>
      {entry.state === 'running' && (
        <div className="mt-2">
          <Progress label={entry.filename} share={share} />
        </div>
      )}
      {entry.state !== 'failed' && (
        <p className="figures mt-1 text-sm text-muted">
          {entry.checked_rows === null
            ? t('importCounts', {
                created: entry.created,
                updated: entry.updated,
                unchanged: entry.unchanged,
                refused: entry.refused,
              })
            : t('checkedRows', { accepted: entry.checked_rows, refused: entry.refused })}
        </p>
      )}
      <Notes entry={entry} />
      {entry.problem && (
        <p className="mt-1 break-words text-sm text-bad">
          <Said says={entry.problem_says} text={entry.problem} />
        </p>
      )}
      {entry.has_report && <RefusedRows importId={entry.id} refused={entry.refused} />}
      {entry.has_report && (
        <a
          href={api.address('/contacts/imports/{id}/report', { path: { id: entry.id } })}
          download
          className="text-sm text-accent underline"
        >
          {t('importReport')}
        </a>
      )}
    </>
  );
}
