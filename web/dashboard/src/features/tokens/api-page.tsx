import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, buttonLook } from '../../../../parts/buttons/button.tsx';
import { CopyField } from '../../../../parts/fields/copy-field.tsx';
import { SwitchField } from '../../../../parts/fields/switch-field.tsx';
import { Card, Notice, Page } from '../../../../parts/page/page.tsx';
import { apiSettings as t } from '../../../../texts/api-settings.ts';
import { common } from '../../../../texts/common.ts';
import { formatList } from '../../../../texts/format.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { ApiSettingsData } from '../../api/records.ts';
import { Faults, Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';
import { GenerateToken } from './generate-token.tsx';
import { Tokens } from './tokens.tsx';

/**
 * API management: access is switched on, a token is generated and shown once, and saving makes both
 * hold. Until then a new token is refused, however long ago it was copied.
 */
export function ApiPage() {
  const { api } = useTenant();
  const settings = useQuery({
    ...api.asked('/api-settings'),
  });
  return (
    <Page title={t('title')} intro={t('intro')}>
      {/* Also when it cannot be loaded again: a token that is shown once may be on it. */}
      <Loaded query={settings} lines={6}>
        {(data) => <Settings settings={data} />}
      </Loaded>
    </Page>
  );
}

function Settings({ settings }: { settings: ApiSettingsData }) {
  const { api, can, slug } = useTenant();
  const queries = useQueryClient();
  const mayWrite = can('api:write');
  const [generating, setGenerating] = useState(false);
  const pending = settings.tokens.filter((token) => token.state === 'pending');
  const inClear = settings.tokens.filter(
    (each) => each.seen_in_clear_at && each.state === 'active',
  );
  const form = useForm({
    values: { api_access: settings.api_access },
    save: async (_, { api_access }) => {
      const saved = await api.put('/api-settings', {
        body: { api_access, activate: pending.map((token) => token.id) },
      });
      queries.setQueryData(api.asked('/api-settings').queryKey, saved);
      return saved;
    },
    done: ({ api_access }) => (pending.length > 0 && api_access ? t('savedActive') : t('saved')),
    refresh: [api.allKeys],
  });

  return (
    <>
      {inClear.length > 0 && (
        <Notice tone="bad" title={t('inClearTitle')}>
          {t('inClearText', { names: formatList(inClear.map(({ name }) => `“${name}”`)) })}
        </Notice>
      )}
      <Card>
        <div className="grid grid-cols-1 gap-5">
          <SwitchField
            label={t('accessTitle')}
            hint={mayWrite ? t('accessHint') : common('hintForOwners', { hint: t('accessHint') })}
            disabled={!mayWrite}
            {...form.field('api_access')}
          />
          <CopyField label={t('baseUrl')} value={settings.base_url} />
          <p>
            <a
              href={`/docs?tenant=${slug}`}
              target="_blank"
              rel="noreferrer"
              className={buttonLook('plain', true)}
            >
              {t('reference')}
            </a>
          </p>
        </div>
      </Card>
      <Tokens
        tokens={settings.tokens}
        abilityCount={settings.abilities.flatMap((each) => each.abilities).length}
        onGenerate={() => setGenerating(true)}
      />
      {mayWrite && (form.isDirty || pending.length > 0) && (
        <Form form={form} className="sticky bottom-3 z-20">
          <div className="rise grid gap-3 rounded-xl border border-line bg-raised px-5 py-3 shadow-pop">
            <Faults form={form} />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p>
                {pending.length > 0 ? t('unsavedTokens', { count: pending.length }) : t('unsaved')}
              </p>
              <Button type="submit" look="primary" busy={form.busy}>
                {t('save')}
              </Button>
            </div>
          </div>
        </Form>
      )}
      {generating && (
        <GenerateToken
          categories={settings.abilities}
          onClose={() => setGenerating(false)}
          onGenerated={() => form.set({ api_access: true })}
        />
      )}
    </>
  );
}
