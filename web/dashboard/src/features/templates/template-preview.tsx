import { MessagePreview } from '../../../../message/body/preview.tsx';
import { templates as t } from '../../../../texts/templates.ts';
import type { TemplateData } from '../../api/records.ts';
import { buttonsOf, cardOf, type TemplateParts } from './template-card.ts';
import { fillPart } from './use-templates.ts';

/** A template as it looks on a phone, with the values that are known so far. */
export function TemplatePreview({
  template,
  values = {},
}: {
  template: TemplateData;
  values?: Record<number, string>;
}) {
  const part = (type: string) =>
    template.components.find((each) => String(each.type).toUpperCase() === type);
  const isCode = template.category === 'AUTHENTICATION';
  const body = part('BODY')?.text ?? (isCode ? t('codeBody') : '');
  const buttons = part('BUTTONS')?.buttons ?? [];
  const parts: TemplateParts = {
    header: template.header_format
      ? {
          format: template.header_format,
          text: fillPart(template, 'header', part('HEADER')?.text ?? '', values),
        }
      : undefined,
    body: fillPart(template, 'body', body, values),
    footer: part('FOOTER')?.text,
    buttons: buttons.map(({ type, text = '', url }) => ({ type, text, url })),
  };
  return (
    <div className="rounded-xl bg-sunken p-3">
      <MessagePreview body={cardOf(parts)} actions={buttonsOf(parts)} />
    </div>
  );
}
