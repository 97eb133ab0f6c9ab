import { useState } from 'react';
import { MessagePreview } from '../../../../message/body/preview.tsx';
import { Button } from '../../../../parts/buttons/button.tsx';
import { CheckField, TextField } from '../../../../parts/fields/field.tsx';
import { Card } from '../../../../parts/page/page.tsx';
import { bots as t } from '../../../../texts/bots.ts';
import type { TriedBotsData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';
import { Faults, Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';
import { buttonsOf, cardOf } from '../templates/template-card.ts';

/** Which bot would answer a text, and with what. */
export function TryBots() {
  const { api } = useTenant();
  const [tried, setTried] = useState<TriedBotsData>();
  const [asked, setAsked] = useState({ text: '', is_first: false });
  const form = useForm({
    values: asked,
    save: (_, values) => {
      // The text stays, to be tried again with other bots.
      setAsked(values);
      return api.post('/bots/try', { body: values });
    },
    onDone: setTried,
  });
  const answer = tried?.answer;
  return (
    <Card title={t('tryTitle')} intro={t('tryIntro')}>
      <Form form={form} guarded={false} className="grid gap-3">
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-56 grow">
            <TextField
              {...form.text('text')}
              label={t('tryText')}
              dir="auto"
              required
              maxLength={4096}
            />
          </div>
          <Button type="submit" busy={form.busy}>
            {t('try')}
          </Button>
        </div>
        <CheckField
          label={t('tryFirst')}
          checked={form.values.is_first}
          onChange={({ target }) => form.set({ is_first: target.checked })}
        />
        <Faults form={form} />
      </Form>
      <div aria-live="polite" className="grid gap-2">
        {tried && (
          <div className="mt-4 grid gap-2 rounded-xl bg-sunken p-4">
            <p>
              {!tried.bot && t('nobody')}
              {tried.bot &&
                t.rich(tried.keyword ? 'answersBecause' : 'answers', {
                  name: tried.bot,
                  keyword: tried.keyword ?? '',
                  because: (words) => <span className="text-muted">{words}</span>,
                })}
            </p>
            {answer && (
              <MessagePreview
                body={cardOf({ ...answer, body: answer.body ?? answer.text })}
                actions={buttonsOf(answer)}
              />
            )}
            {tried.problems.map(({ bot, problem, problem_says: says }) => (
              <p key={bot} className="text-sm text-warn">
                {t.rich('cannot', {
                  name: bot,
                  problem: () => <Said says={says} text={problem} />,
                })}
              </p>
            ))}
          </div>
        )}
      </div>
    </Card>
  );
}
