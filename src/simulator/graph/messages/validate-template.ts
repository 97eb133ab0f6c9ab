import { renderCard, renderTemplate } from '../../templates/render-template.ts';
import { componentOf, placeholders } from '../../templates/templates.ts';
import type {
  JsonObject,
  RenderedCard,
  RenderedTemplate,
  Template,
  TemplateButton,
} from '../../types.ts';
import { GraphError } from '../graph-errors.ts';
import { object, string } from '../params.ts';
import { checkMediaSource, type HasMedia } from './check-media-source.ts';

/** Components that the phone does not show. */
const unchecked = ['ORDER_STATUS', 'TAP_TARGET_CONFIGURATION'];

type Given = {
  header: JsonObject[] | null;
  body: JsonObject[];
  /** Parameters and kind by button index. */
  buttons: Map<number, { subType: string; parameters: JsonObject[] }>;
  offer: JsonObject[];
  /** By index. */
  cards: Map<number, Given>;
};

/**
 * Validates the `template` of a message against the templates of the number's business account, with the
 * network's errors.
 *
 * @returns the template, and its rendered form for the phone
 */
export function validateTemplate(
  body: JsonObject,
  templates: Template[],
  hasMedia: HasMedia,
): { template: Template; rendered: RenderedTemplate } {
  const sent = object(body, 'template', 'template');
  const name = string(sent, 'name', "template['name']", 1, 512);
  const language = object(sent, 'language', "template['language']");
  const code = string(language, 'code', "template['language']['code']", 1, 32);
  const template = findSendable(templates, name, code);
  const given = readComponents(sent.components);

  checkComponents(template, given, hasMedia);
  checkCode(template, given);
  checkOffer(template, given);
  const cards = renderCards(template, given, hasMedia);
  const rendered = renderTemplate(template, parametersOf(given));
  if (rendered.body.length > 1024) throw GraphError.of(132005, 'body: text is too long');
  return { template, rendered: { ...rendered, ...(cards.length > 0 && { cards }) } };
}

/** Checks the components that a template and a card of a carousel have in common. */
function checkComponents(template: Template, given: Given, hasMedia: HasMedia): void {
  checkHeader(template, given.header, hasMedia);
  checkTextParameters('body', template, componentOf(template, 'BODY')?.text ?? '', given.body);
  checkButtons(template, given);
}

function parametersOf({
  header,
  body,
  buttons,
  offer,
}: Given): Parameters<typeof renderTemplate>[1] {
  return {
    header: header ?? [],
    body,
    buttons: new Map([...buttons].map(([index, button]) => [index, button.parameters])),
    offer,
  };
}

/** Checks and renders the cards of a carousel: exactly those that the template has. */
function renderCards(template: Template, given: Given, hasMedia: HasMedia): RenderedCard[] {
  const defined = componentOf(template, 'CAROUSEL')?.cards ?? [];
  return defined.map(({ components }, index) => {
    const card = given.cards.get(index);
    if (!card || given.cards.size !== defined.length) {
      throw GraphError.of(
        132012,
        `carousel: number of cards (${given.cards.size}) does not match the expected cards 0 to ${defined.length - 1}`,
      );
    }
    const asTemplate = { ...template, components };
    checkComponents(asTemplate, card, hasMedia);
    return renderCard(asTemplate, parametersOf(card));
  });
}

function checkOffer(template: Template, { offer: [parameter] }: Given): void {
  if (!componentOf(template, 'LIMITED_TIME_OFFER')?.limited_time_offer?.has_expiration) return;
  const { expiration_time_ms: end } = (parameter?.limited_time_offer ?? {}) as JsonObject;
  if (typeof end !== 'number') {
    throw GraphError.of(131008, 'limited_time_offer: expiration_time_ms is required');
  }
}

function findSendable(templates: Template[], name: string, language: string): Template {
  const found = templates.find((one) => one.name === name && one.language === language);
  if (found?.status === 'PAUSED') throw GraphError.of(132015);
  if (found?.status === 'DISABLED') throw GraphError.of(132016);
  if (found?.status !== 'APPROVED') {
    throw GraphError.of(132001, `template name (${name}) does not exist in ${language}`);
  }
  return found;
}

function readComponents(components: unknown, isOfCard = false): Given {
  const given: Given = { header: null, body: [], buttons: new Map(), offer: [], cards: new Map() };
  if (components === undefined || components === null) return given;
  if (!Array.isArray(components)) {
    throw GraphError.parameter("Param template['components'] must be an array.");
  }
  for (const [at, component] of (components as JsonObject[]).entries()) {
    const where = `template['components'][${at}]`;
    const type = string(component, 'type', `${where}['type']`, 1, 32).toUpperCase();
    const parameters = (component.parameters ?? []) as JsonObject[];
    if (!Array.isArray(parameters) || parameters.some((one) => typeof one !== 'object' || !one)) {
      throw GraphError.parameter(`Param ${where}['parameters'] must be an array.`);
    }
    if (type === 'HEADER') given.header = parameters;
    else if (type === 'BODY') given.body = parameters;
    else if (type === 'LIMITED_TIME_OFFER') given.offer = parameters;
    else if (type === 'CAROUSEL' && !isOfCard) given.cards = readCards(component.cards, where);
    else if (type === 'BUTTON') {
      const subType = string(component, 'sub_type', `${where}['sub_type']`, 1, 32).toUpperCase();
      // Documented as a string, but numbers occur too.
      const index = Number(component.index ?? Number.NaN);
      if (!Number.isInteger(index)) {
        throw GraphError.parameter(`The parameter ${where}['index'] is required.`);
      }
      given.buttons.set(index, { subType, parameters });
    } else if (!unchecked.includes(type)) {
      throw GraphError.parameter(
        `Param ${where}['type'] must be one of {HEADER, BODY, BUTTON, CAROUSEL, LIMITED_TIME_OFFER, ${unchecked.join(', ')}} - got "${String(component.type)}".`,
      );
    }
  }
  return given;
}

function readCards(cards: unknown, where: string): Map<number, Given> {
  if (!Array.isArray(cards))
    throw GraphError.parameter(`Param ${where}['cards'] must be an array.`);
  return new Map(
    (cards as (JsonObject | null)[]).map((card) => [
      Number(card?.card_index),
      readComponents(card?.components, true),
    ]),
  );
}

function checkHeader(
  template: Template,
  parameters: JsonObject[] | null,
  hasMedia: HasMedia,
): void {
  const header = componentOf(template, 'HEADER');
  const format = header?.format?.toUpperCase() ?? 'TEXT';
  if (!header || format === 'TEXT') {
    checkTextParameters('header', template, header?.text ?? '', parameters ?? []);
    return;
  }
  const [first] = parameters ?? [];
  const received = typeof first?.type === 'string' ? first.type.toUpperCase() : 'UNKNOWN';
  if (received !== format) {
    throw GraphError.of(
      132012,
      `header: Format mismatch, expected ${format}, received ${received}`,
    );
  }
  if ((parameters ?? []).length !== 1) throw wrongCount('header', parameters?.length ?? 0, 1);
  const media = object(first as JsonObject, format.toLowerCase(), format.toLowerCase());
  if (format !== 'LOCATION') checkMediaSource(media, format.toLowerCase(), hasMedia);
  if (media.filename !== undefined) string(media, 'filename', 'filename', 0, 240);
}

function checkTextParameters(
  where: string,
  template: Template,
  text: string,
  given: JsonObject[],
): void {
  const expected = placeholders(text);
  for (const parameter of given) checkTextParameter(where, parameter);
  if (template.parameter_format === 'NAMED' && expected.length > 0) {
    const names = given.map((parameter) => parameter.parameter_name);
    if (names.some((name) => typeof name !== 'string' || name === '')) {
      throw GraphError.of(100, 'Parameter name is missing or empty');
    }
    const missing = expected.find((name) => !names.includes(name));
    if (missing && names.length === expected.length) {
      throw GraphError.of(132012, `${where}: parameter name (${missing}) is missing`);
    }
  }
  if (given.length !== expected.length) throw wrongCount(where, given.length, expected.length);
}

function checkTextParameter(where: string, parameter: JsonObject): void {
  const type = typeof parameter.type === 'string' ? parameter.type.toLowerCase() : 'unknown';
  const text =
    type === 'text'
      ? parameter.text
      : type === 'currency' || type === 'date_time'
        ? (parameter[type] as JsonObject | undefined)?.fallback_value
        : undefined;
  if (!['text', 'currency', 'date_time'].includes(type)) {
    const received = type.toUpperCase();
    throw GraphError.of(132012, `${where}: Format mismatch, expected TEXT, received ${received}`);
  }
  if (typeof text !== 'string' || text.trim() === '') {
    throw GraphError.of(131008, `Parameter of type ${type} is missing text value`);
  }
  if (/[\n\r\t]| {5,}/.test(text)) {
    throw GraphError.of(
      132018,
      'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    );
  }
}

function wrongCount(where: string, given: number, expected: number): GraphError {
  return GraphError.of(
    132000,
    `${where}: number of localizable_params (${given}) does not match the expected number of params (${expected})`,
  );
}

function checkButtons(template: Template, given: Given): void {
  const buttons = componentOf(template, 'BUTTONS')?.buttons ?? [];
  for (const [index, { subType }] of given.buttons) {
    const button = buttons[index];
    if (!button) {
      throw GraphError.of(132012, `buttons: there is no button at index ${index} in the template`);
    }
    if (subType !== subTypeOf(button)) {
      throw GraphError.of(
        132012,
        `buttons: Format mismatch at index ${index}, expected ${subTypeOf(button)}, received ${subType}`,
      );
    }
  }
  for (const [index, button] of buttons.entries()) {
    const named = given.buttons.get(index);
    if (subTypeOf(button) === 'FLOW' && !named) {
      throw GraphError.of(131009, `buttons: Button at index ${index} of type Flow must be named`);
    }
    const parameters = named?.parameters ?? [];
    checkButton(button, index, parameters);
  }
}

function checkButton(button: TemplateButton, index: number, parameters: JsonObject[]): void {
  const subType = subTypeOf(button);
  if (subType === 'URL') {
    const variable = isCodeButton(button) || placeholders(button.url ?? '').length > 0;
    if (variable && parameters.length === 0) throw buttonNeedsParameter(index, 'Url');
    if (parameters.length > (variable ? 1 : 0)) {
      throw wrongCount('buttons', parameters.length, variable ? 1 : 0);
    }
    for (const parameter of parameters) checkTextParameter('buttons', parameter);
  } else if (subType === 'COPY_CODE') {
    const code = parameters[0]?.coupon_code;
    if (typeof code !== 'string' || code === '') throw buttonNeedsParameter(index, 'CopyCode');
    if (code.length > 15) throw GraphError.of(131009, 'Coupon code is longer than 15 characters');
  } else if (subType === 'QUICK_REPLY' && parameters.length > 0) {
    string(parameters[0] as JsonObject, 'payload', 'payload', 1, 256);
  }
}

function buttonNeedsParameter(index: number, type: string): GraphError {
  return GraphError.of(
    131008,
    `buttons: Button at index ${index} of type ${type} requires a parameter`,
  );
}

/** Rejects an authentication code of more than 15 characters, or with a URL or emoji. */
function checkCode(template: Template, given: Given): void {
  if (template.category !== 'AUTHENTICATION') return;
  for (const parameter of [...given.body, ...(given.buttons.get(0)?.parameters ?? [])]) {
    const code = String(parameter.text);
    if (code.length > 15) {
      throw GraphError.of(131009, 'The one-time password is longer than 15 characters');
    }
    if (/:\/\/|\p{Extended_Pictographic}/u.test(code)) {
      throw GraphError.of(132007, 'A one-time password holds no URL, media or emoji');
    }
  }
}

function isCodeButton(button: TemplateButton): boolean {
  return button.type.toUpperCase() === 'OTP';
}

/** Returns the `sub_type` of a button in a send. For a code button that is `url`. */
function subTypeOf(button: TemplateButton): string {
  return isCodeButton(button) ? 'URL' : button.type.toUpperCase();
}
