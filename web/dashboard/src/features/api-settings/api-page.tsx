import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { Card, Notice, Page, Skeleton } from '../../../../parts/page.tsx';
import { SwitchField } from '../../../../parts/switch-field.tsx';
import { apiSettings as texts } from '../../../../texts/api-settings.ts';
import { common } from '../../../../texts/common.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import type { ApiSettingsData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
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
    <Page title={texts.title} intro={texts.intro}>
      {settings.error && <LoadProblem error={settings.error} />}
      {settings.isPending && (
        <Card>
          <Skeleton lines={6} />
        </Card>
      )}
      {/* Also when it could not be loaded again: a token that is shown once may be on it. */}
      {settings.data && <Settings settings={settings.data} />}
    </Page>
  );
}

function Settings({ settings }: { settings: ApiSettingsData }) {
  const { api, isOwner } = useTenant();
  const queries = useQueryClient();
  const [access, setAccess] = useState<boolean>();
  const [generating, setGenerating] = useState(false);
  const wanted = access ?? settings.api_access;
  const pending = settings.tokens.filter((token) => token.state === 'pending');
  const isDirty = wanted !== settings.api_access || pending.length > 0;
  const inClear = settings.tokens.filter(
    (each) => each.seen_in_clear_at && each.state === 'active',
  );

  const save = useAction(
    async () => {
      const saved = await api.put('/api-settings', {
        body: { api_access: wanted, activate: pending.map((token) => token.id) },
      });
      queries.setQueryData(api.asked('/api-settings').queryKey, saved);
      // What was changed since is not saved yet.
      setAccess((now) => (now === wanted ? undefined : now));
    },
    {
      done: pending.length > 0 && wanted ? texts.savedActive : texts.saved,
      refresh: [api.allKeys],
    },
  );

  return (
    <>
      {inClear.length > 0 && (
        <Notice tone="bad" title={texts.inClearTitle}>
          {texts.inClearText(inClear.map((token) => `“${token.name}”`).join(', '))}
        </Notice>
      )}
      <Card>
        <div className="grid gap-5">
          <SwitchField
            label={texts.accessTitle}
            hint={isOwner ? texts.accessHint : `${texts.accessHint} ${common.ownerOnly}`}
            checked={wanted}
            disabled={!isOwner}
            onChange={setAccess}
          />
          <CopyField label={texts.baseUrl} value={settings.base_url} />
        </div>
      </Card>
      <Tokens
        tokens={settings.tokens}
        abilityCount={settings.abilities.flatMap((each) => each.abilities).length}
        onGenerate={() => setGenerating(true)}
      />
      {isOwner && isDirty && (
        <div className="sticky bottom-3 z-20">
          <div className="rise flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line bg-raised px-5 py-3 shadow-pop">
            <p>{pending.length > 0 ? texts.unsavedTokens(pending.length) : texts.unsaved}</p>
            <Button look="primary" busy={save.busy} onClick={() => save.run()}>
              {texts.save}
            </Button>
          </div>
        </div>
      )}
      {generating && (
        <GenerateToken
          categories={settings.abilities}
          onClose={() => setGenerating(false)}
          onGenerated={() => setAccess(true)}
        />
      )}
    </>
  );
}
