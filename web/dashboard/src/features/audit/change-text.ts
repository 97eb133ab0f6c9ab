import { audit as t } from '../../../../texts/audit.ts';
import { formatDateTime } from '../../../../texts/format.ts';
import { stores } from '../../../../texts/stores.ts';
import { textOr } from '../../../../texts/translator.ts';
import type { AuditData } from '../../api/records.ts';

type Change = AuditData['changes'][number];

/** Describes a change: its field, and the values if they are in the entry. */
export function changeText({ field, before, after, after_name: name }: Change): string {
  const values = [
    ...(before === undefined ? [] : [valueText(field, before)]),
    ...(after === undefined ? [] : [name ?? valueText(field, after)]),
  ];
  return fieldText(field) + (values.length === 0 ? '' : `: ${values.join(' → ')}`);
}

/** Names a field, or the topic of a store whose action changed. */
function fieldText(field: string): string {
  return textOr(t, `fields.${field}`, textOr(stores, `topics.${field}`, field));
}

function valueText(field: string, value: unknown): string {
  if (value === null) return t('none');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (Array.isArray(value)) return value.map((each) => valueText(field, each)).join(', ');
  const text = String(value);
  if (field.endsWith('_at') || field.endsWith('_until')) return formatDateTime(text);
  if (field === 'abilities') return textOr(t, `abilities.${text}`, text);
  return field === 'filter' ? fieldText(text) : text;
}
