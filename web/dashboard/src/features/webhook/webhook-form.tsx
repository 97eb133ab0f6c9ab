import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { CheckField, TextField } from '../../../../parts/field.tsx';
import { Card } from '../../../../parts/page.tsx';
import { SwitchField } from '../../../../parts/switch-field.tsx';
import { common } from '../../../../texts/common.ts';
import { formatDateTime } from '../../../../texts/format.ts';
import { webhook as texts } from '../../../../texts/webhook.ts';
import type { WebhookData, WebhookSettingsData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

type EventType = WebhookSettingsData['event_types'][number];
type SubjectOf<Type> = Type extends `${infer Subject}.${string}` ? Subject : never;
type VerbOf<Type> = Type extends `${string}.${infer Verb}` ? Verb : never;

/** The names of the parts of event types. The type check fails if one is missing. */
const subjects: Record<string, string> = texts.categories satisfies Record<
  SubjectOf<EventType>,
  string
>;
const verbs: Record<string, string> = texts.operations satisfies Record<VerbOf<EventType>, string>;

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
  const { api, isOwner } = useTenant();
  const queries = useQueryClient();
  // Apart from what is saved, which is asked for again and again while somebody types.
  const [edits, setEdits] = useState<Partial<Pick<WebhookData, 'on' | 'url' | 'events'>>>({});
  const { on, url, events } = { on: true, url: '', events: eventTypes, ...webhook, ...edits };
  const edit = (part: typeof edits) => setEdits({ ...edits, ...part });
  const save = useAction(
    async () => {
      const saved = await api.put('/webhook', { body: { on, url, events } });
      queries.setQueryData(
        api.asked('/webhook').queryKey,
        (settings) => settings && { ...settings, webhook: saved.webhook },
      );
      // What was changed since is not saved yet.
      setEdits((now) => (now === edits ? {} : now));
      return saved;
    },
    {
      done: texts.saved,
      refresh: [api.key('/webhook'), api.key('/webhook/deliveries')],
      onDone: ({ secret }) => secret && onSecret(secret),
    },
  );
  const categories = Object.entries(
    Object.groupBy(eventTypes, (event) => event.split('.')[0] ?? ''),
  );
  return (
    <Card>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <SwitchField
          label={texts.on}
          hint={isOwner ? texts.onHint : `${texts.onHint} ${common.ownerOnly}`}
          checked={on}
          disabled={!isOwner}
          onChange={(on) => edit({ on })}
        />
        <TextField
          label={texts.url}
          hint={texts.urlHint}
          errors={save.errors.url}
          type="url"
          placeholder="https://"
          required
          disabled={!isOwner}
          value={url}
          onChange={(event) => edit({ url: event.target.value })}
        />
        <fieldset disabled={!isOwner}>
          <legend className="text-sm font-medium">{texts.events}</legend>
          {save.errors.events && <p className="text-sm text-bad">{save.errors.events.join(' ')}</p>}
          <div className="mt-1 grid gap-4 sm:grid-cols-3">
            {categories.map(([category, types = []]) => (
              <fieldset key={category}>
                <legend className="text-sm text-muted">{subjects[category] ?? category}</legend>
                {types.map((type) => (
                  <CheckField
                    key={type}
                    label={verbs[type.split('.')[1] ?? ''] ?? type}
                    checked={events.includes(type)}
                    onChange={(event) =>
                      edit({
                        events: event.target.checked
                          ? [...events, type]
                          : events.filter((each) => each !== type),
                      })
                    }
                  />
                ))}
              </fieldset>
            ))}
          </div>
        </fieldset>
        {webhook?.previous_secret_until && new Date(webhook.previous_secret_until) > new Date() && (
          <p className="text-sm text-muted">
            {texts.bothUntil(formatDateTime(webhook.previous_secret_until))}
          </p>
        )}
        {isOwner && (
          <div>
            <Button type="submit" look="primary" busy={save.busy}>
              {common.save}
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}
