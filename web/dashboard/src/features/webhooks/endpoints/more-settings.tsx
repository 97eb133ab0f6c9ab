import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CheckGroup, Checks } from '../../../../../parts/fields/check-group.tsx';
import { CheckField, TextArea, TextField } from '../../../../../parts/fields/field.tsx';
import { SwitchField } from '../../../../../parts/fields/switch-field.tsx';
import { formatList } from '../../../../../texts/format.ts';
import { textOr } from '../../../../../texts/translator.ts';
import { webhook as t } from '../../../../../texts/webhook.ts';
import type { WebhookData, WebhookSettingsData } from '../../../api/records.ts';
import type { useForm } from '../../../form/use-form.ts';
import { useTenant } from '../../../session.ts';
import type { EndpointValues } from './endpoint-form.ts';

/** The settings that few endpoints need: filters, order, gathered messages, headers. */
export function MoreSettings({
  form,
  webhook,
  settings,
  disabled,
}: {
  form: ReturnType<typeof useForm<EndpointValues, unknown>>;
  webhook: WebhookData | undefined;
  settings: WebhookSettingsData;
  disabled: boolean;
}) {
  const { api } = useTenant();
  const [isOpen, setOpen] = useState(false);
  const known = useQuery({ ...api.asked('/numbers'), enabled: isOpen });
  const numbers = known.data?.numbers ?? [];
  const isKnown = (id: string) => numbers.some((each) => each.phone_number_id === id);
  // Numbers that were disconnected since stay in the filter until somebody takes them out.
  const disconnected = known.data
    ? new Set([...(webhook?.numbers ?? []), ...form.values.numbers].filter((id) => !isKnown(id)))
    : [];
  const names = webhook?.header_names ?? [];
  const filters = [
    [
      'numbers',
      [
        ...numbers.map(({ phone_number_id, display_phone_number }) => ({
          value: phone_number_id,
          label: display_phone_number ?? phone_number_id,
        })),
        ...Array.from(disconnected, (id) => ({ value: id, label: t('disconnected', { id }) })),
      ],
    ],
    ['kinds', settings.message_kinds.map((value) => ({ value, label: value }))],
    [
      'causes',
      settings.message_causes.map((value) => ({
        value,
        label: textOr(t, `causeNames.${value}`, value),
      })),
    ],
  ] as const;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-sm font-medium">{t('more')}</summary>
      <div className="mt-4 grid gap-5">
        <p className="text-sm text-muted">{t('filterHint')}</p>
        {filters.map(([name, choices]) => {
          const { errors, ...field } = form.field(name);
          return (
            choices.length > 0 && (
              <CheckGroup key={name} legend={t(name)} errors={errors} disabled={disabled}>
                <div className="mt-1 grid grid-cols-2 gap-x-4 sm:grid-cols-4">
                  <Checks {...field} choices={choices} />
                </div>
              </CheckGroup>
            )
          );
        })}
        <SwitchField
          {...form.field('ordered')}
          label={t('ordered')}
          hint={t('orderedHint')}
          disabled={disabled}
        />
        <TextField
          {...form.text('gather_seconds')}
          label={t('gather')}
          hint={t('gatherHint')}
          inputMode="numeric"
          disabled={disabled}
          optional
        />
        <TextArea
          {...form.text('headers')}
          label={t('headersField')}
          hint={
            names.length > 0 ? t('headersKept', { names: formatList(names) }) : t('headersHint')
          }
          disabled={disabled}
          className="font-mono text-sm"
          optional
        />
        {names.length > 0 && (
          <CheckField
            label={t('dropHeaders')}
            checked={form.values.dropHeaders}
            disabled={disabled}
            onChange={({ target }) => form.set({ dropHeaders: target.checked })}
          />
        )}
      </div>
    </details>
  );
}
