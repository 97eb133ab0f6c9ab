import { PhoneMessage } from '../../../../parts/phone-message.tsx';
import { templates as texts } from '../../../../texts/templates.ts';
import type { TemplateData } from '../../api/records.ts';
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
  const body = part('BODY')?.text ?? (isCode ? texts.codeBody : '');
  const buttons = part('BUTTONS')?.buttons ?? [];
  return (
    <div className="rounded-xl bg-sunken p-3">
      <div className="max-w-sm rounded-xl rounded-tl-sm bg-raised px-3 py-2 shadow-card">
        <PhoneMessage
          header={
            template.header_format
              ? {
                  format: template.header_format,
                  text: fillPart(template, 'header', part('HEADER')?.text ?? '', values),
                }
              : undefined
          }
          body={fillPart(template, 'body', body, values)}
          footer={part('FOOTER')?.text}
          buttons={buttons.map((button) => ({
            type: button.type,
            text: button.text ?? '',
            url: button.url,
          }))}
        />
      </div>
    </div>
  );
}
