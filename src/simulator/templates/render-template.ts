import type {
  JsonObject,
  RenderedCard,
  RenderedTemplate,
  Template,
  TemplateButton,
} from '../types.ts';
import { componentOf } from './templates.ts';

type Parameters = {
  offer: JsonObject[];
  header: JsonObject[];
  body: JsonObject[];
  buttons: Map<number, JsonObject[]>;
};

/** Fills in the parameters of a template, for the phone. */
export function renderTemplate(template: Template, parameters: Parameters): RenderedTemplate {
  const offer = componentOf(template, 'LIMITED_TIME_OFFER')?.limited_time_offer;
  return {
    name: template.name,
    language: template.language,
    ...renderCard(template, parameters),
    ...footerOf(template),
    ...(offer && { offer: { text: offer.text ?? '', ...endOf(parameters.offer) } }),
  };
}

/** Fills in the parameters of a card of a carousel, given as a template with the components of the card. */
export function renderCard(template: Template, parameters: Parameters): RenderedCard {
  const header = componentOf(template, 'HEADER');
  const buttons = componentOf(template, 'BUTTONS')?.buttons ?? [];
  return {
    ...(header && {
      header: renderHeader(header.format ?? 'TEXT', header.text, parameters.header),
    }),
    body: bodyText(template, parameters.body),
    buttons: buttons.map((button, index) =>
      renderButton(template, button, parameters.buttons.get(index)?.[0], parameters.body),
    ),
  };
}

function renderHeader(
  format: string,
  text: string | undefined,
  parameters: JsonObject[],
): RenderedTemplate['header'] {
  const kind = format.toUpperCase();
  if (kind === 'TEXT') return { format: kind, text: fill(text ?? '', parameters) };
  const media = (parameters[0]?.[kind.toLowerCase()] ?? {}) as JsonObject;
  return {
    format: kind,
    ...(typeof media.link === 'string' && { link: media.link }),
    ...(media.id !== undefined && { id: String(media.id) }),
    ...(typeof media.filename === 'string' && { filename: media.filename }),
    ...(typeof media.name === 'string' && { text: media.name }),
  };
}

function bodyText(template: Template, parameters: JsonObject[]): string {
  const body = componentOf(template, 'BODY');
  // The network generates the body of an authentication template; some lists omit its text.
  const text =
    body?.text ??
    (template.category === 'AUTHENTICATION' ? '*{{1}}* is your verification code.' : '');
  const advice =
    body?.add_security_recommendation && !text.includes('security')
      ? ' For your security, do not share this code.'
      : '';
  return fill(text, parameters) + advice;
}

function footerOf(template: Template): { footer?: string } {
  const footer = componentOf(template, 'FOOTER');
  const minutes = footer?.code_expiration_minutes;
  const text = footer?.text ?? (minutes && `This code expires in ${minutes} minutes.`);
  return text ? { footer: text } : {};
}

function endOf([parameter]: JsonObject[]): { ends_at?: number } {
  const { expiration_time_ms: end } = (parameter?.limited_time_offer ?? {}) as JsonObject;
  return typeof end === 'number' ? { ends_at: end } : {};
}

/** The texts of buttons for which a template need not have one. */
const fixedTexts: Record<string, string> = {
  COPY_CODE: 'Copy code',
  PHONE_NUMBER: 'Call',
  REQUEST_CONTACT_INFO: 'Share Contact Info',
  VOICE_CALL: 'Call on WhatsApp',
};

function renderButton(
  template: Template,
  button: TemplateButton,
  parameter: JsonObject | undefined,
  body: JsonObject[],
): RenderedTemplate['buttons'][number] {
  const type = button.type.toUpperCase();
  if (template.category === 'AUTHENTICATION') {
    const code = String(parameter?.text ?? body[0]?.text ?? '');
    return { type: 'COPY_CODE', text: button.text ?? 'Copy code', code };
  }
  const text = button.text ?? fixedTexts[type] ?? 'Open';
  if (type === 'COPY_CODE') return { type, text, code: String(parameter?.coupon_code ?? '') };
  if (type === 'URL') {
    return { type, text, url: fill(button.url ?? '', parameter ? [parameter] : []) };
  }
  if (type === 'QUICK_REPLY') return { type, text, payload: String(parameter?.payload ?? text) };
  const { flow_token: token } = (parameter?.action ?? {}) as JsonObject;
  if (type === 'FLOW')
    return { type, text, ...(typeof token === 'string' && { flow_token: token }) };
  return { type, text };
}

function fill(text: string, parameters: JsonObject[]): string {
  return text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (whole, name: string) => {
    const named = parameters.find((one) => one.parameter_name === name);
    const parameter = named ?? parameters[Number(name) - 1];
    if (!parameter) return whole;
    const typed = parameter[String(parameter.type).toLowerCase()];
    return typeof typed === 'string' ? typed : String((typed as JsonObject)?.fallback_value ?? '');
  });
}
