import { Field, TextArea, TextField } from '../../../../parts/fields/field.tsx';
import { common } from '../../../../texts/common.ts';
import { labels as t } from '../../../../texts/labels.ts';
import type { LabelData } from '../../api/records.ts';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useForm } from '../../form/use-form.ts';
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
  const form = useForm({
    values: {
      name: label?.name ?? '',
      description: label?.description ?? '',
      color: label ? (label.color ?? null) : colors[0]!,
    },
    clean: (values) => ({
      ...values,
      name: values.name.trim(),
      description: values.description.trim(),
    }),
    save: (changes, { color, ...values }) =>
      label
        ? api.put(`/${kind}/{id}`, { path: { id: label.id }, body: emptyAsNull(changes) })
        : api.post(`/${kind}`, {
            body: {
              ...emptyAsNull(values),
              name: values.name,
              ...(kind === 'statuses' && { color }),
            },
          }),
    done: ({ name }) => (label ? t('saved', { name }) : t('created', { name })),
    refresh: [api.key(`/${kind}`)],
    onDone: onClose,
  });
  const { value: color, errors, onChange: setColor } = form.field('color');
  return (
    <FormDialog
      form={form}
      title={t(`kinds.${kind}.${label ? 'edit' : 'add'}`)}
      onClose={onClose}
      submit={common('save')}
      disabled={label && !form.isDirty}
    >
      <TextField {...form.text('name')} label={t('name')} maxLength={255} required />
      {kind === 'statuses' && (
        <Field label={t('color')} errors={errors}>
          {(described) => (
            <div className="flex flex-wrap items-center gap-2">
              <input
                {...described}
                type="color"
                // A browser shows some colour, also if the status has none.
                value={color ?? '#000000'}
                onChange={(event) => setColor(event.target.value)}
                className="h-9 w-14 rounded-lg border border-line-strong/60 bg-surface p-1"
              />
              {colors.map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-label={t('colorNamed', { color: each })}
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
      <TextArea {...form.text('description')} label={t('description')} optional maxLength={2000} />
    </FormDialog>
  );
}

/** A description that is left empty is none. */
function emptyAsNull<Values extends { description?: string }>({ description, ...rest }: Values) {
  return { ...rest, ...(description !== undefined && { description: description || null }) };
}
