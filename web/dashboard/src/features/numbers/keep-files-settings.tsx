import { useQuery } from '@tanstack/react-query';
import { TextField } from '../../../../parts/fields/field.tsx';
import { Card, Notice, Skeleton } from '../../../../parts/page/page.tsx';
import { common } from '../../../../texts/common.ts';
import { numbers as t } from '../../../../texts/numbers.ts';
import { Faults, Form, SaveButton } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';

/** How long copies of received files are kept. */
export function KeepFilesSettings() {
  const { api, can } = useTenant();
  const mayWrite = can('numbers:write');
  // The settings beside this show what went wrong.
  const { data: settings } = useQuery({ ...api.asked('/inbound-settings') });
  const form = useForm({
    values: { keep_files_days: String(settings?.keep_files_days ?? 0) },
    save: (_, { keep_files_days: days }) =>
      api.put('/inbound-settings', { body: { keep_files_days: Number(days.trim() || 'none') } }),
    done: t('keepFilesSaved'),
    refresh: [api.key('/inbound-settings')],
  });
  if (!settings) return <Skeleton lines={2} />;
  const { kept_files: count, kept_bytes: bytes } = settings;
  return (
    <Card title={t('keepFiles')} intro={t('keepFilesIntro')}>
      {!settings.can_keep_files && <Notice tone="warn">{t('keepFilesImpossible')}</Notice>}
      <Form form={form} className="grid gap-3">
        <TextField
          {...form.text('keep_files_days')}
          label={t('keepFilesDays')}
          hint={
            mayWrite
              ? t('keepFilesDaysHint')
              : common('hintForOwners', { hint: t('keepFilesDaysHint') })
          }
          inputMode="numeric"
          className="max-w-32"
          disabled={!mayWrite}
        />
        <p className="text-sm text-muted">
          {t('keptFiles', { count, megabytes: Math.ceil(bytes / 100_000) / 10 })}
        </p>
        <Faults form={form} />
        {mayWrite && (
          <div>
            <SaveButton form={form} />
          </div>
        )}
      </Form>
    </Card>
  );
}
