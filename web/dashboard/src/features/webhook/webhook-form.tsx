import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../../../parts/button.tsx';
import { CheckGroup, Checks, inOrder } from '../../../../parts/check-group.tsx';
import { TextField } from '../../../../parts/field.tsx';
import { Card } from '../../../../parts/page.tsx';
import { SwitchField } from '../../../../parts/switch-field.tsx';
import { common } from '../../../../texts/common.ts';
import { formatDateTime } from '../../../../texts/format.ts';
import { webhook as t } from '../../../../texts/webhook.ts';
import type { WebhookData, WebhookSettingsData } from '../../api/records.ts';
import { Faults, Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';

type EventType = WebhookSettingsData['event_types'][number];
type SubjectOf<Type> = Type extends `${infer Subject}.${string}` ? Subject : never;
type VerbOf<Type> = Type extends `${string}.${infer Verb}` ? Verb : never;

/** @param webhook the present one; there is none yet when left out */
export function WebhookForm({
  webhook,
  eventTypes,
  onSecret,
}: {
  webhook?: WebhookData;
  eventTypes: string[];
  onSecret: (secret: string) => void;
}) {
  const { api, can } = useTenant();
  const queries = useQueryClient();
  const mayWrite = can('webhook:write');
  const form = useForm({
    // Loaded again and again while somebody types.
    values: {
      on: webhook?.on ?? true,
      url: webhook?.url ?? '',
      events: inOrder(webhook?.events ?? eventTypes),
    },
    save: async (_, body) => {
      const saved = await api.put('/webhook', { body });
      queries.setQueryData(
        api.asked('/webhook').queryKey,
        (settings) => settings && { ...settings, webhook: saved.webhook },
      );
      return saved;
    },
    done: t('saved'),
    refresh: [api.key('/webhook'), api.key('/webhook/deliveries')],
    onDone: ({ secret }) => secret && onSecret(secret),
  });
  const categories = Object.entries(
    Object.groupBy(eventTypes, (event) => event.split('.')[0] ?? ''),
  );
  return (
    <Card>
      <Form form={form} className="grid gap-5">
        <SwitchField
          {...form.field('on')}
          label={t('on')}
          hint={mayWrite ? t('onHint') : common('hintForOwners', { hint: t('onHint') })}
          disabled={!mayWrite}
        />
        <TextField
          {...form.text('url')}
          label={t('url')}
          hint={t('urlHint')}
          type="url"
          placeholder="https://"
          required
          disabled={!mayWrite}
        />
        <CheckGroup legend={t('events')} errors={form.errorsOf('events')} disabled={!mayWrite}>
          <div className="mt-1 grid gap-4 sm:grid-cols-3">
            {categories.map(([category, types = []]) => (
              <fieldset key={category}>
                <legend className="text-sm text-muted">
                  {t(`categories.${category as SubjectOf<EventType>}`)}
                </legend>
                <Checks
                  {...form.field('events')}
                  choices={types.map((type) => ({
                    value: type,
                    label: t(`operations.${type.split('.')[1] as VerbOf<EventType>}`),
                  }))}
                />
              </fieldset>
            ))}
          </div>
        </CheckGroup>
        {webhook?.previous_secret_until && new Date(webhook.previous_secret_until) > new Date() && (
          <p className="text-sm text-muted">
            {t('bothUntil', { until: formatDateTime(webhook.previous_secret_until) })}
          </p>
        )}
        <Faults form={form} />
        {mayWrite && (
          <div>
            <Button
              type="submit"
              look="primary"
              busy={form.busy}
              disabled={webhook && !form.isDirty}
            >
              {common('save')}
            </Button>
          </div>
        )}
      </Form>
    </Card>
  );
}
