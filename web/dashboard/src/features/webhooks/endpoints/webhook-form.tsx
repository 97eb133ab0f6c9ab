import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { TextField } from '../../../../../parts/fields/field.tsx';
import { SwitchField } from '../../../../../parts/fields/switch-field.tsx';
import { Card } from '../../../../../parts/page/page.tsx';
import { common } from '../../../../../texts/common.ts';
import { formatDateTime } from '../../../../../texts/format.ts';
import { webhook as t } from '../../../../../texts/webhook.ts';
import type { WebhookSettingsData } from '../../../api/records.ts';
import { Faults, Form, SaveButton } from '../../../form/form.tsx';
import { useForm } from '../../../form/use-form.ts';
import { useTenant } from '../../../session.ts';
import { endpointQuery, settingsQuery } from '../queries.ts';
import type { DeliverySearch } from '../search.ts';
import { EndpointActions } from './endpoint-actions.tsx';
import { bodyOf, valuesOf } from './endpoint-form.ts';
import { EventChoice } from './event-choice.tsx';
import { MoreSettings } from './more-settings.tsx';

/**
 * The settings of an endpoint.
 *
 * @param endpoint `new` for one that is being added. The default one is added by saving it.
 */
export function WebhookForm({
  endpoint,
  settings,
  onSecret,
}: {
  endpoint: DeliverySearch['endpoint'];
  settings: WebhookSettingsData;
  onSecret: (secret: string) => void;
}) {
  const { api, can } = useTenant();
  const queries = useQueryClient();
  const navigate = useNavigate({ from: '/t/$tenant/webhook' });
  const mayWrite = can('webhook:write');
  const webhook = endpoint === 'new' ? undefined : (settings.webhook ?? undefined);
  const form = useForm({
    // Loaded again and again while somebody types.
    values: valuesOf(webhook, settings),
    save: async (_, values) => {
      const body = bodyOf(values);
      const { name } = values;
      if (endpoint === 'new')
        return await api.post('/webhook/endpoints', { body: { ...body, name } });
      const saved = await api.put('/webhook', {
        query: { endpoint },
        body: endpoint === undefined ? body : { ...body, name },
      });
      queries.setQueryData(
        settingsQuery(api, { endpoint }).queryKey,
        (known) => known && { ...known, webhook: saved.webhook },
      );
      return saved;
    },
    done: endpoint === 'new' ? t('added') : t('saved'),
    refresh: [api.key('/webhook'), api.key('/webhook/endpoints'), api.key('/webhook/deliveries')],
    onDone: ({ webhook: { id }, secret }) => {
      if (secret) onSecret(secret);
      if (endpoint === 'new') void navigate({ search: { endpoint: id } });
    },
  });
  const { errors: eventErrors, ...events } = form.field('events');
  return (
    <Card title={webhook && t('settings')}>
      <Form form={form} replacedBy="endpoint" className="grid gap-5">
        <SwitchField
          {...form.field('on')}
          label={t('on')}
          hint={mayWrite ? t('onHint') : common('hintForOwners', { hint: t('onHint') })}
          disabled={!mayWrite}
        />
        {endpoint !== undefined && (
          <TextField {...form.text('name')} label={t('name')} required disabled={!mayWrite} />
        )}
        <TextField
          {...form.text('url')}
          label={t('url')}
          hint={t('urlHint')}
          type="url"
          placeholder="https://"
          required
          disabled={!mayWrite}
        />
        <EventChoice
          {...events}
          errors={eventErrors}
          types={settings.all_event_types}
          disabled={!mayWrite}
        />
        <MoreSettings form={form} webhook={webhook} settings={settings} disabled={!mayWrite} />
        {webhook?.previous_secret_until && new Date(webhook.previous_secret_until) > new Date() && (
          <p className="text-sm text-muted">
            {t('bothUntil', { until: formatDateTime(webhook.previous_secret_until) })}
          </p>
        )}
        <Faults form={form} />
        {mayWrite && (
          <div className="flex flex-wrap gap-2">
            <SaveButton form={form} isNew={!webhook} />
            {webhook && (
              <EndpointActions webhook={webhook} endpoint={endpointQuery({ endpoint })} />
            )}
          </div>
        )}
      </Form>
    </Card>
  );
}
