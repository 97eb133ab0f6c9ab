import { useState } from 'react';
import { Field, TextArea, TextField } from '../../../../parts/field.tsx';
import { FormDialog } from '../../../../parts/form-dialog.tsx';
import { common } from '../../../../texts/common.ts';
import { labels as texts } from '../../../../texts/labels.ts';
import type { LabelData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import type { LabelKind } from './use-labels.ts';

const colors = ['#22c55e', '#3b82f6', '#f59e0b', '#ef4444', '#8b5cf6', '#14b8a6', '#64748b'];

/** @param label the one to change; a new one when left out */
export function EditLabel({
  kind,
  label,
  onClose,
}: {
  kind: LabelKind;
  label?: LabelData;
  onClose: () => void;
}) {
  const { api } = useTenant();
  const [name, setName] = useState(label?.name ?? '');
  const [color, setColor] = useState(label?.color ?? colors[0]!);
  const [description, setDescription] = useState(label?.description ?? '');
  const { one } = texts.kinds[kind];
  const save = useAction(
    () => {
      const body = {
        name: name.trim(),
        description: description.trim() || null,
        ...(kind === 'statuses' ? { color } : {}),
      };
      return label
        ? api.put(`/${kind}/{id}`, { path: { id: label.id }, body })
        : api.post(`/${kind}`, { body });
    },
    {
      done: label ? texts.saved(name.trim()) : texts.created(name.trim()),
      refresh: [api.key(`/${kind}`)],
      onDone: onClose,
    },
  );
  return (
    <FormDialog
      title={label ? texts.editTitle(one) : texts.add(one)}
      onClose={onClose}
      submit={common.save}
      busy={save.busy}
      onSubmit={save.run}
    >
      <TextField
        label={texts.name}
        errors={save.errors.name}
        value={name}
        maxLength={255}
        required
        onChange={(event) => setName(event.target.value)}
      />
      {kind === 'statuses' && (
        <Field label={texts.color} errors={save.errors.color}>
          {(described) => (
            <div className="flex flex-wrap items-center gap-2">
              <input
                {...described}
                type="color"
                value={color}
                onChange={(event) => setColor(event.target.value)}
                className="h-9 w-14 rounded-lg border border-line-strong/60 bg-surface p-1"
              />
              {colors.map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-label={`${texts.color} ${each}`}
                  aria-pressed={each === color}
                  onClick={() => setColor(each)}
                  className="size-7 rounded-full border-2 border-surface forced-color-adjust-none aria-pressed:ring-2 aria-pressed:ring-accent"
                  style={{ background: each }}
                />
              ))}
            </div>
          )}
        </Field>
      )}
      <TextArea
        label={texts.description}
        optional
        errors={save.errors.description}
        value={description}
        maxLength={2000}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}
