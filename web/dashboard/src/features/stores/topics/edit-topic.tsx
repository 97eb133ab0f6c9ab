import { useState } from 'react';
import { TextField } from '../../../../../parts/fields/field.tsx';
import { Notice } from '../../../../../parts/page/page.tsx';
import { common } from '../../../../../texts/common.ts';
import { stores as t } from '../../../../../texts/stores.ts';
import { textOr } from '../../../../../texts/translator.ts';
import type { StoreDetailsData, TemplateData, TopicAction } from '../../../api/records.ts';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useForm } from '../../../form/use-form.ts';
import { useTenant } from '../../../session.ts';
import { chosenOf, TemplateSelect } from '../../templates/template-select.tsx';
import {
  buttonUrlOf,
  fieldsOf,
  hasMedia,
  sendable,
  useTemplates,
} from '../../templates/use-templates.ts';
import {
  ConditionFields,
  conditionOf,
  type TypedCondition,
  typedCondition,
} from './condition-fields.tsx';
import { ContactActionFields } from './contact-action-fields.tsx';
import { FieldSourceFields } from './field-source-fields.tsx';
import { TopicPreview } from './topic-preview.tsx';

/** Sets the actions for a topic, beside a preview of their effects. */
export function EditTopic({
  storeId,
  numberId,
  topic: { topic, action: given, has_no_buyer: hasNoBuyer },
  onClose,
}: {
  storeId: number;
  /** The number that sends; null for the default number, whose account has the templates then. */
  numberId: number | null;
  topic: StoreDetailsData['topics'][number];
  onClose: () => void;
}) {
  const { api } = useTenant();
  const [focused, setFocused] = useState<number | 'header' | 'condition'>();
  const { data: templates } = useTemplates(numberId ?? undefined);
  const form = useForm({
    values: {
      contact: given.contact,
      template: given.template,
      condition: typedCondition(given.template?.only_if),
    },
    save: (_, values) =>
      api.put('/stores/{id}/topics/{topic}', {
        path: { id: storeId, topic },
        body: actionOf(values),
      }),
    done: t('saved'),
    refresh: [api.key('/stores/{id}', { path: { id: storeId } })],
    onDone: onClose,
  });
  const { contact, template, condition } = form.values;
  const choices = sendable(templates?.templates ?? []);
  const chosen = chosenOf(choices, template);
  const paths = [...(template?.fields ?? []).map((_, index) => pathOf(index)), headerPath];

  function setField(index: number, source: { path?: string; default?: string; format?: string }) {
    if (!template) return;
    const fields = template.fields.map((each, at) =>
      at === index ? ({ ...each, ...source } as typeof each) : each,
    );
    form.set({ template: { ...template, fields } }, pathOf(index));
  }

  const setHeaderPath = (path: string) =>
    template && form.set({ template: { ...template, header_media_path: path } }, headerPath);
  const setCondition = (part: Partial<TypedCondition>) =>
    form.set({ condition: { ...condition, ...part } }, conditionPath);

  function choosePath(path: string) {
    if (focused === 'condition') setCondition({ path });
    else if (focused === 'header') setHeaderPath(path);
    else if (focused !== undefined) setField(focused, { path });
  }

  return (
    <FormDialog
      form={form}
      title={t('editTopic', { topic: textOr(t, `topics.${topic}`, topic) })}
      wide
      submit={common('save')}
      disabled={!form.isDirty}
      onClose={onClose}
    >
      {hasNoBuyer && <Notice tone="warn">{t('hasNoBuyer')}</Notice>}
      <ContactActionFields
        contact={contact}
        errorsOf={form.errorsOf}
        onChange={(part, ...settled) => form.set({ contact: { ...contact, ...part } }, ...settled)}
      />
      <TemplateSelect
        choices={choices}
        value={template}
        none={t('noTemplate')}
        label={t('template')}
        errors={form.errorsOf('template')}
        onChange={(found) => form.set({ template: found && emptyTemplate(found) }, ...paths)}
      />
      {template?.fields.map((source, index) => (
        <FieldSourceFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a field is its position
          key={index}
          label={`field_${index + 1}`}
          hint={urlHint(chosen && buttonUrlOf(chosen, index + 1))}
          source={source}
          errors={form.errorsOf(pathOf(index))}
          onFocus={() => setFocused(index)}
          onChange={(change) => setField(index, change)}
        />
      ))}
      {template && chosen && hasMedia(chosen) && (
        <TextField
          label={t('headerPath')}
          required
          errors={form.errorsOf(headerPath)}
          value={template.header_media_path ?? ''}
          onFocus={() => setFocused('header')}
          onChange={({ target }) => setHeaderPath(target.value)}
        />
      )}
      {template && (
        <ConditionFields
          hint={topic === 'order.updated' ? t('conditionHintUpdated') : t('conditionHint')}
          condition={condition}
          errors={form.errorsOf(conditionPath)}
          onFocus={() => setFocused('condition')}
          onChange={setCondition}
        />
      )}
      <TopicPreview
        storeId={storeId}
        topic={topic}
        action={actionOf(form.values)}
        onChoosePath={template && focused !== undefined ? choosePath : undefined}
      />
    </FormDialog>
  );
}

/** The names of the paths in the faults of the service. */
const pathOf = (index: number) => `template.fields.${index}.path`;
const headerPath = 'template.header_media_path';
const conditionPath = 'template.only_if.path';

type Values = Pick<TopicAction, 'contact' | 'template'> & { condition: TypedCondition };

function actionOf({ contact, template, condition }: Values): TopicAction {
  if (!template) return { contact };
  const { only_if: _, ...others } = template;
  const only_if = conditionOf(condition);
  return { contact, template: { ...others, ...(only_if && { only_if }) } };
}

function urlHint(url: string | undefined): string | undefined {
  return url && t('fieldUrlHint', { url });
}

function emptyTemplate(template: TemplateData): NonNullable<TopicAction['template']> {
  const count = Math.max(0, ...fieldsOf(template).map(({ number }) => number));
  return {
    name: template.name,
    language: template.language,
    fields: Array.from({ length: count }, () => ({ path: '' })),
  };
}
