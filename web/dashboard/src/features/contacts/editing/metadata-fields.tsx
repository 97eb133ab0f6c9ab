import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button, IconButton } from '../../../../../parts/buttons/button.tsx';
import { CheckGroup } from '../../../../../parts/fields/check-group.tsx';
import { inputLook } from '../../../../../parts/fields/field.tsx';
import { contacts as t } from '../../../../../texts/contacts.ts';

type Metadata = Record<string, string>;
type Row = { key: number; name: string; value: string };

const maxRows = 50;

/** The tenant's own values of a contact, each with its name. Rows without a name are not saved. */
export function MetadataFields({
  value,
  errors,
  onChange,
}: {
  value: Metadata;
  errors?: string[] | undefined;
  onChange: (metadata: Metadata) => void;
}) {
  const [rows, setRows] = useState<Row[]>(() =>
    Object.entries(value).map(([name, text], key) => ({ key, name, value: text })),
  );
  const id = useId();

  function change(next: Row[]) {
    setRows(next);
    onChange(
      Object.fromEntries(
        next.map(({ name, value: text }) => [name.trim(), text]).filter(([name]) => name !== ''),
      ),
    );
  }
  const edit = (key: number, part: Partial<Row>) =>
    change(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const nextKey = Math.max(-1, ...rows.map(({ key }) => key)) + 1;

  return (
    <CheckGroup legend={t('metadata')} errors={errors}>
      <p id={id} className="text-sm text-muted">
        {t('metadataHint', { example: '{{metadata.plan}}' })}
      </p>
      <ul className="mt-2 grid gap-2">
        {rows.map((row, index) => (
          <li key={row.key} className="flex gap-2">
            <input
              dir="auto"
              aria-label={t('metadataName', { number: index + 1 })}
              aria-describedby={id}
              aria-invalid={Boolean(errors)}
              value={row.name}
              maxLength={40}
              onChange={({ target }) => edit(row.key, { name: target.value })}
              className={`${inputLook} h-9 basis-2/5`}
            />
            <input
              dir="auto"
              aria-label={t('metadataValue', { number: index + 1 })}
              value={row.value}
              maxLength={500}
              onChange={({ target }) => edit(row.key, { value: target.value })}
              className={`${inputLook} h-9`}
            />
            <IconButton
              label={t('metadataRemove', { number: index + 1 })}
              onClick={() => change(rows.filter(({ key }) => key !== row.key))}
            >
              <X className="size-4" aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {rows.length < maxRows && (
        <Button
          small
          className="mt-2"
          onClick={() => setRows([...rows, { key: nextKey, name: '', value: '' }])}
        >
          <Plus className="size-4" aria-hidden />
          {t('metadataAdd')}
        </Button>
      )}
    </CheckGroup>
  );
}
