import { SelectField, TextArea, TextField } from '../../../../parts/fields/field.tsx';
import { bots as t } from '../../../../texts/bots.ts';
import { common } from '../../../../texts/common.ts';
import { textsOf } from '../../../../texts/translator.ts';
import type { BotData } from '../../api/records.ts';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';
import { placeholders } from './placeholders.ts';
import { type ChosenTemplate, TemplateFields } from './template-fields.tsx';

/** @param bot the bot to change, whose kind stays the same. If left out, a bot is created. */
export function EditBot({ bot, onClose }: { bot?: BotData; onClose: () => void }) {
  const { api } = useTenant();
  const form = useForm({
    values: valuesOf(bot),
    clean: (values) => ({ ...values, name: values.name.trim() }),
    save: (changes, values) =>
      bot
        ? // Only the changed fields: other people may have changed the rest.
          api.put('/bots/{id}', { path: { id: bot.id }, body: bodyOf(values, changes) })
        : api.post('/bots', {
            body: {
              ...bodyOf(values, values),
              kind: values.kind,
              name: values.name,
              match: values.match,
            },
          }),
    done: bot ? t('saved') : t('created'),
    refresh: [api.key('/bots')],
    onDone: onClose,
  });
  const { kind, match, template } = form.values;
  return (
    <FormDialog
      form={form}
      title={bot ? t('editTitle') : t('newTitle')}
      onClose={onClose}
      submit={common('save')}
      disabled={bot && !form.isDirty}
    >
      <TextField
        {...form.text('name')}
        label={t('name')}
        hint={t('nameHint')}
        required
        maxLength={100}
      />
      <SelectField
        {...form.text('match')}
        label={t('match')}
        hint={t('matchHint')}
        choices={textsOf(t, 'matches')}
      />
      {hasKeywords(match) && (
        <TextArea
          {...form.text('keywords')}
          label={t('keywords')}
          hint={t('keywordsHint')}
          required
        />
      )}
      <SelectField
        {...form.text('pause_minutes')}
        label={t('pause')}
        hint={t('pauseHint')}
        choices={pausesOf(bot)}
      />
      {!bot && (
        <SelectField {...form.text('kind')} label={t('answerWith')} choices={textsOf(t, 'kinds')} />
      )}
      {kind === 'message' ? (
        <TextArea
          {...form.text('reply')}
          label={t('reply')}
          hint={t('replyHint', { placeholders: placeholders() })}
          required
          dir="auto"
          rows={4}
        />
      ) : (
        <TemplateFields
          template={template}
          errorsOf={form.errorsOf}
          onChange={(chosen, ...faults) => form.set({ template: chosen }, ...faults)}
        />
      )}
    </FormDialog>
  );
}

type Values = {
  kind: BotData['kind'];
  name: string;
  match: BotData['match'];
  /** One on each line. */
  keywords: string;
  pause_minutes: string;
  reply: string;
  template: ChosenTemplate;
};

function valuesOf(bot: BotData | undefined): Values {
  return {
    kind: bot?.kind ?? 'message',
    name: bot?.name ?? '',
    match: bot?.match ?? 'contains',
    keywords: bot?.keywords.join('\n') ?? '',
    pause_minutes: String(bot?.pause_minutes ?? 0),
    reply: bot?.reply ?? '',
    template: {
      name: bot?.template_name ?? '',
      language: bot?.template_language ?? '',
      fields: bot?.fields ?? [],
    },
  };
}

/** The names of the pauses, by their minutes. The command can set a pause that is not among them. */
function pausesOf(bot: BotData | undefined): Record<string, string> {
  const pauses = [0, 10, 60, 1_440, bot?.pause_minutes ?? 0];
  return Object.fromEntries(
    pauses.map((minutes) => [minutes, minutes === 0 ? t('noPause') : t('pauseFor', { minutes })]),
  );
}

const hasKeywords = (match: BotData['match']) => match !== 'first_message' && match !== 'any';

/** Returns what to save of a bot. Its keywords go with the way they match, and a template is sent as a whole. */
function bodyOf({ kind, match, keywords, template }: Values, changes: Partial<Values>) {
  const lines = keywords.split('\n').map((each) => each.trim());
  return {
    ...(changes.name !== undefined && { name: changes.name }),
    ...((changes.match !== undefined || changes.keywords !== undefined) && {
      match,
      keywords: hasKeywords(match) ? lines.filter(Boolean) : [],
    }),
    ...(changes.pause_minutes !== undefined && { pause_minutes: Number(changes.pause_minutes) }),
    ...(kind === 'message'
      ? changes.reply !== undefined && { reply: changes.reply }
      : changes.template && {
          template_name: template.name,
          template_language: template.language,
          fields: template.fields,
        }),
  };
}
