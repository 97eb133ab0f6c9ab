import { useState } from 'react';
import { CheckField, SelectField, TextField } from '../../../../parts/field.tsx';
import { FormDialog } from '../../../../parts/form-dialog.tsx';
import { Notice } from '../../../../parts/page.tsx';
import { common } from '../../../../texts/common.ts';
import { stores as texts } from '../../../../texts/stores.ts';
import type { StoreDetailsData, TemplateData, TopicAction } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { LabelSelect } from '../labels/label-select.tsx';
import { useLabels } from '../labels/use-labels.ts';
import { chosenOf, TemplateSelect } from '../templates/template-select.tsx';
import { fieldsOf, sendable, useTemplates } from '../templates/use-templates.ts';
import { FieldSourceFields } from './field-source-fields.tsx';
import { TopicPreview } from './topic-preview.tsx';

/** Sets what happens for a topic, beside a preview of what that would come to. */
export function EditTopic({
  storeId,
  topic: { topic, action: given, has_no_buyer: hasNoBuyer },
  onClose,
}: {
  storeId: number;
  topic: StoreDetailsData['topics'][number];
  onClose: () => void;
}) {
  const { api } = useTenant();
  const [action, setAction] = useState<TopicAction>(given);
  const [path, setPath] = useState<number>();
  const { data: templates } = useTemplates();
  const { data: groups = [] } = useLabels('groups');
  const { contact, template } = action;
  const choices = sendable(templates?.templates ?? []);
  const chosen = chosenOf(choices, template);

  const save = useAction(
    () => api.put('/stores/{id}/topics/{topic}', { path: { id: storeId, topic }, body: action }),
    {
      done: texts.saved,
      refresh: [api.key('/stores/{id}', { path: { id: storeId } })],
      onDone: onClose,
    },
  );

  function setField(index: number, source: { path?: string; default?: string; format?: string }) {
    if (!template) return;
    const fields = template.fields.map((each, at) =>
      at === index ? ({ ...each, ...source } as typeof each) : each,
    );
    setAction({ contact, template: { ...template, fields } });
  }

  return (
    <FormDialog
      title={texts.editTopic(texts.topics[topic] ?? topic)}
      wide
      submit={common.save}
      busy={save.busy}
      onSubmit={save.run}
      onClose={onClose}
    >
      {hasNoBuyer && <Notice tone="warn">{texts.hasNoBuyer}</Notice>}
      <div className="grid grid-cols-1 gap-3">
        <SelectField
          label={texts.contactMode}
          hint={texts.contactModeHints[contact.mode]}
          value={contact.mode}
          onChange={(event) => {
            const mode = event.target.value as typeof contact.mode;
            setAction({ ...action, contact: { ...contact, mode } });
          }}
          choices={texts.contactModes}
        />
        {contact.mode !== 'none' && (
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            <LabelSelect
              kind="sources"
              label={texts.contactSource}
              errors={save.errors.source_id}
              value={contact.source_id ?? null}
              onChange={(id) =>
                setAction({ ...action, contact: { ...contact, source_id: id ?? undefined } })
              }
            />
            {groups.length > 0 && (
              <fieldset>
                <legend className="text-sm font-medium">{texts.contactGroups}</legend>
                <div className="flex max-h-28 flex-wrap gap-x-4 overflow-y-auto">
                  {groups.map(({ id, name }) => (
                    <CheckField
                      key={id}
                      label={name}
                      checked={contact.group_ids?.includes(id) ?? false}
                      onChange={(event) => {
                        const others = (contact.group_ids ?? []).filter((each) => each !== id);
                        const group_ids = event.target.checked ? [...others, id] : others;
                        setAction({ ...action, contact: { ...contact, group_ids } });
                      }}
                    />
                  ))}
                </div>
                {save.errors.group_ids && (
                  <p className="text-sm text-bad">{texts.contactGroupsGone}</p>
                )}
              </fieldset>
            )}
          </div>
        )}
      </div>
      <TemplateSelect
        choices={choices}
        value={template}
        none={texts.noTemplate}
        label={texts.template}
        errors={save.errors.template}
        onChange={(found) =>
          setAction({ contact, ...(found ? { template: emptyTemplate(found) } : {}) })
        }
      />
      {template?.fields.map((source, index) => (
        <FieldSourceFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a field is its position
          key={index}
          label={`field_${index + 1}`}
          source={source}
          errors={save.errors.path}
          onFocus={() => setPath(index)}
          onChange={(change) => setField(index, change)}
        />
      ))}
      {template && ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(chosen?.header_format ?? '') && (
        <TextField
          label={texts.headerPath}
          required
          value={template.header_media_path ?? ''}
          onChange={(event) =>
            setAction({
              contact,
              template: { ...template, header_media_path: event.target.value },
            })
          }
        />
      )}
      <TopicPreview
        storeId={storeId}
        topic={topic}
        action={action}
        onChoosePath={
          template && path !== undefined ? (value) => setField(path, { path: value }) : undefined
        }
      />
    </FormDialog>
  );
}

function emptyTemplate(template: TemplateData): NonNullable<TopicAction['template']> {
  const count = Math.max(0, ...fieldsOf(template).map(({ number }) => number));
  return {
    name: template.name,
    language: template.language,
    fields: Array.from({ length: count }, () => ({ path: '' })),
  };
}
