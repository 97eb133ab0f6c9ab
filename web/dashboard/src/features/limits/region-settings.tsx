import { PickerField } from '../../../../parts/fields/picker-field.tsx';
import { Card } from '../../../../parts/page/page.tsx';
import { formatDateTime, formatNumber } from '../../../../texts/format.ts';
import { locale as textLocale } from '../../../../texts/translator.ts';
import { usage as t } from '../../../../texts/usage.ts';
import { Faults, Form, SaveButton } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { sessionQuery, useSession, useTenant } from '../../session.ts';

/** The languages that are offered. The command line takes any that the server knows. */
const languages =
  'ar bg cs da de de-AT de-CH el en-AU en-CA en-GB en-IN en-US es es-MX et fa fi fr fr-CA he hi hr hu id it ja ko ' +
  'lt lv ms nb nl pl pt-BR pt-PT ro ru sk sl sr sv th tr uk ur vi zh-CN zh-TW';

/** In which language and time zone numbers, dates and times are written, for everybody in the business. */
export function RegionSettings() {
  const { api, can, slug } = useTenant();
  const tenant = useSession().tenants.find((each) => each.slug === slug);
  const form = useForm({
    values: { locale: tenant?.locale ?? textLocale, time_zone: tenant?.time_zone ?? null },
    save: (_, body) => api.put('/region', { body }),
    done: t('regionSaved'),
    refresh: [sessionQuery.queryKey],
  });
  if (!can('region:write')) return null;
  const { locale, time_zone: zone } = form.values;
  const names = new Intl.DisplayNames(textLocale, { type: 'language' });
  const tags = [...new Set([...languages.split(' '), locale])];
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), ...(zone ? [zone] : [])])];
  return (
    <Card title={t('regionTitle')} intro={t('regionIntro')}>
      <Form form={form} className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <PickerField
            {...form.field('locale')}
            label={t('language')}
            choices={tags.map((tag) => ({ value: tag, words: names.of(tag) ?? tag }))}
            onChoose={(chosen) => form.set({ locale: chosen })}
          />
          <PickerField
            {...form.field('time_zone')}
            label={t('timeZone')}
            choices={[
              { value: null, words: t('browserZone') },
              ...zones.map((each) => ({ value: each, words: each.replaceAll('_', ' ') })),
            ]}
            onChoose={(chosen) => form.set({ time_zone: chosen })}
          />
        </div>
        <p className="text-sm text-muted">
          {t('regionExample', {
            time: formatDateTime(new Date().toISOString()),
            number: formatNumber(1234.5),
          })}
        </p>
        <Faults form={form} />
        <div>
          <SaveButton form={form} />
        </div>
      </Form>
    </Card>
  );
}
