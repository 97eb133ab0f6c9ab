import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TextField } from '../../../../parts/fields/field.tsx';
import { Confirm } from '../../../../parts/overlays/dialog.tsx';
import { Card, Skeleton } from '../../../../parts/page/page.tsx';
import { common } from '../../../../texts/common.ts';
import { numbers as t } from '../../../../texts/numbers.ts';
import { Faults, Form, SaveButton } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';

/** How long messages are kept. A shorter time deletes messages, so it asks first. */
export function KeepMessagesSettings() {
  const { api, can } = useTenant();
  const mayWrite = can('numbers:write');
  const [asking, setAsking] = useState(false);
  // The settings beside this show what went wrong.
  const { data: settings } = useQuery({ ...api.asked('/inbound-settings') });
  const saved = settings?.message_retention_days ?? null;
  const form = useForm({
    values: { message_retention_days: saved === null ? '' : String(saved) },
    clean: ({ message_retention_days: days }) => ({ message_retention_days: days.trim() }),
    save: (_, { message_retention_days: days }) =>
      api.put('/inbound-settings', { body: { message_retention_days: daysIn(days) } }),
    done: ({ message_retention_days: days, max_message_retention_days: max }) =>
      t('keepMessagesSaved', { days: days ?? max }),
    refresh: [api.key('/inbound-settings')],
  });
  if (!settings) return <Skeleton lines={2} />;
  const { max_message_retention_days: max } = settings;
  const wanted = daysIn(form.values.message_retention_days.trim());
  const isShorter = wanted !== null && wanted > 0 && wanted < (saved ?? (max || Infinity));
  const hint = t('keepMessagesHint', { max });
  const submit = () => {
    if (isShorter) setAsking(true);
    else form.submit();
    return undefined;
  };
  return (
    <Card title={t('keepMessages')} intro={t('keepMessagesIntro')}>
      <Form form={{ ...form, submit }} className="grid gap-3">
        <TextField
          {...form.text('message_retention_days')}
          label={t('keepMessagesDays')}
          hint={mayWrite ? hint : common('hintForOwners', { hint })}
          inputMode="numeric"
          className="max-w-32"
          disabled={!mayWrite}
        />
        <Faults form={form} />
        {mayWrite && (
          <div>
            <SaveButton form={form} />
          </div>
        )}
      </Form>
      <Confirm
        title={t('keepMessagesTitle', { days: wanted ?? 0 })}
        description={t('keepMessagesText')}
        action={common('save')}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={async () => form.submit()}
      />
    </Card>
  );
}

/** Null for none; 0, which the service refuses, for what is no number. */
function daysIn(text: string): number | null {
  if (text === '') return null;
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}
