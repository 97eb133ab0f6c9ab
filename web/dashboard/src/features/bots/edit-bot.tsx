import { useState } from 'react';
import { SelectField, TextArea, TextField } from '../../../../parts/field.tsx';
import { FormDialog } from '../../../../parts/form-dialog.tsx';
import { bots as texts } from '../../../../texts/bots.ts';
import { common } from '../../../../texts/common.ts';
import type { BotData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { contactFieldNames } from '../contacts/contact-fields.ts';
import { TemplatePreview } from '../templates/template-preview.tsx';
import { chosenOf, TemplateSelect } from '../templates/template-select.tsx';
import { fieldsOf, sendable, useTemplates } from '../templates/use-templates.ts';

/** The placeholders that a reply can have: the fields of the contact, its full name, and the message. */
const placeholders = new Intl.ListFormat('en-GB').format(
  [...contactFieldNames, 'name', 'message'].map((name) => `{{${name}}}`),
);

/** @param bot the one to change; a new one when left out. Its kind never changes. */
export function EditBot({ bot, onClose }: { bot?: BotData; onClose: () => void }) {
  const { api } = useTenant();
  const [kind, setKind] = useState(bot?.kind ?? 'message');
  const [name, setName] = useState(bot?.name ?? '');
  const [match, setMatch] = useState(bot?.match ?? 'contains');
  const [keywords, setKeywords] = useState(bot?.keywords.join('\n') ?? '');
  const [reply, setReply] = useState(bot?.reply ?? '');
  const [template, setTemplate] = useState({
    name: bot?.template_name ?? '',
    language: bot?.template_language ?? '',
    fields: bot?.fields ?? [],
  });
  const wantsKeywords = match !== 'first_message' && match !== 'any';

  const save = useAction(
    () => {
      const given = keywords.split('\n').map((each) => each.trim());
      const parts = [
        { name: name.trim() },
        { match, keywords: wantsKeywords ? given.filter(Boolean) : [] },
        kind === 'message'
          ? { reply }
          : {
              template_name: template.name,
              template_language: template.language,
              fields: template.fields,
            },
      ];
      return bot
        ? api.put('/bots/{id}', { path: { id: bot.id }, body: changesOf(bot, parts) })
        : api.post('/bots', { body: Object.assign({ kind }, ...parts) });
    },
    { done: bot ? texts.saved : texts.created, refresh: [api.key('/bots')], onDone: onClose },
  );
  return (
    <FormDialog
      title={bot ? texts.editTitle : texts.newTitle}
      onClose={onClose}
      submit={common.save}
      busy={save.busy}
      onSubmit={save.run}
    >
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        errors={save.errors.name}
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label={texts.match}
        hint={texts.matchHint}
        errors={save.errors.match}
        value={match}
        onChange={(event) => setMatch(event.target.value as typeof match)}
        choices={texts.matches}
      />
      {wantsKeywords && (
        <TextArea
          label={texts.keywords}
          hint={texts.keywordsHint}
          errors={save.errors.keywords}
          required
          value={keywords}
          onChange={(event) => setKeywords(event.target.value)}
        />
      )}
      {!bot && (
        <SelectField
          label={texts.answerWith}
          value={kind}
          onChange={(event) => setKind(event.target.value as typeof kind)}
          choices={texts.kinds}
        />
      )}
      {kind === 'message' ? (
        <TextArea
          label={texts.reply}
          hint={texts.replyHint(placeholders)}
          errors={save.errors.reply}
          required
          dir="auto"
          rows={4}
          maxLength={4096}
          value={reply}
          onChange={(event) => setReply(event.target.value)}
        />
      ) : (
        <TemplateFields template={template} errors={save.errors} onChange={setTemplate} />
      )}
    </FormDialog>
  );
}

/** Only what was changed here, in parts that belong together: others may have changed the rest. */
function changesOf(bot: BotData, parts: Partial<BotData>[]): Partial<BotData> {
  const isChanged = (part: Partial<BotData>) =>
    Object.entries(part).some(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(bot[name as keyof BotData]),
    );
  return Object.assign({}, ...parts.filter(isChanged));
}

type Template = { name: string; language: string; fields: string[] };

function TemplateFields({
  template,
  errors,
  onChange,
}: {
  template: Template;
  errors: Record<string, string[]>;
  onChange: (template: Template) => void;
}) {
  const { data } = useTemplates();
  const choices = sendable(data?.templates ?? []);
  const value = template.name ? template : undefined;
  const chosen = chosenOf(choices, value);
  const count = Math.max(0, ...(chosen ? fieldsOf(chosen).map(({ number }) => number) : []));
  return (
    <>
      <TemplateSelect
        choices={choices}
        value={value}
        required
        hint={data && choices.length === 0 ? texts.noTemplate : undefined}
        errors={errors.template_name ?? errors.template_language ?? errors.fields}
        onChange={(found) =>
          found && onChange({ name: found.name, language: found.language, fields: [] })
        }
      />
      {Array.from({ length: count }, (_, index) => (
        <TextField
          // biome-ignore lint/suspicious/noArrayIndexKey: a field is its position
          key={index}
          label={texts.field(index + 1)}
          hint={index === 0 ? texts.replyHint(placeholders) : undefined}
          errors={errors[`field_${index + 1}`]}
          required
          maxLength={1024}
          value={template.fields[index] ?? ''}
          onChange={(event) => {
            const fields = Array.from({ length: count }, (_, at) => template.fields[at] ?? '');
            fields[index] = event.target.value;
            onChange({ ...template, fields });
          }}
        />
      ))}
      {chosen && (
        <TemplatePreview
          template={chosen}
          values={Object.fromEntries(template.fields.map((value, index) => [index + 1, value]))}
        />
      )}
    </>
  );
}
