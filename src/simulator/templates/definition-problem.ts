import type { NewTemplate, TemplateComponent } from '../types.ts';
import { placeholders } from './templates.ts';

/** In characters, from the network's reference of template components. */
const maxLengths = { HEADER: 60, BODY: 1024, FOOTER: 60 };
const maxButtons = 10;
const maxUrlButtons = 2;
const maxButtonText = 25;
const maxCards = 10;
const maxCardButtons = 2;
const maxOffer = 16;
const maxOfferBody = 600;

/**
 * Finds why the network would never approve a template.
 *
 * @returns the first problem as a sentence; null if there is none
 */
export function definitionProblem({ components }: Pick<NewTemplate, 'components'>): string | null {
  const ofType = (type: string) => componentsOf(components, type);
  if (ofType('BODY').length !== 1) return 'A template needs exactly one component of type BODY.';
  for (const [type, max] of Object.entries(maxLengths)) {
    const [component, second] = ofType(type);
    if (second) return `A template has only one component of type ${type}.`;
    if ((component?.text?.length ?? 0) > max) {
      return `The text of the ${type} has at most ${max} characters.`;
    }
  }
  if (placeholders(ofType('FOOTER')[0]?.text ?? '').length > 0) {
    return 'The FOOTER has no variables.';
  }
  if (placeholders(ofType('HEADER')[0]?.text ?? '').length > 1) {
    return 'The HEADER has only one variable.';
  }
  const [carousel] = ofType('CAROUSEL');
  const [offer] = ofType('LIMITED_TIME_OFFER');
  return (
    (carousel?.cards && carouselProblem(carousel.cards)) ??
    (offer && offerProblem(offer, components)) ??
    buttonProblem(ofType('BUTTONS').flatMap(({ buttons = [] }) => buttons))
  );
}

const buttonTypes = [
  ...['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'OTP', 'FLOW', 'CATALOG', 'MPM', 'SPM'],
  ...['VOICE_CALL', 'REQUEST_CONTACT_INFO', 'ORDER_DETAILS', 'REMINDER', 'APP'],
];

/**
 * Finds why the network would refuse to create a template, besides `definitionProblem`. The control API adds such a
 * template nevertheless, so that tests can use short texts.
 *
 * @returns the first problem as a sentence; null if there is none
 */
export function reviewProblem({
  components,
  parameter_format,
}: Pick<NewTemplate, 'components' | 'parameter_format'>): string | null {
  const buttons = componentsOf(components, 'BUTTONS').flatMap((one) => one.buttons ?? []);
  const unknown = buttons.find(({ type }) => !buttonTypes.includes(type.toUpperCase()));
  if (unknown) return `There is no button of type ${unknown.type}.`;
  if (componentsOf(components, 'CAROUSEL').some(({ cards }) => !cards)) {
    return 'A carousel has cards.';
  }
  const body = componentsOf(components, 'BODY')[0]?.text?.trim() ?? '';
  if (body.startsWith('{{') || body.endsWith('}}')) {
    return 'The BODY neither begins nor ends with a variable.';
  }
  if (/\}\}\s?\{\{/.test(body)) return 'The BODY has no two variables side by side.';
  const inOrder = placeholders(body).every((name, index) => name === String(index + 1));
  return parameter_format === 'POSITIONAL' && !inOrder
    ? 'The variables of the BODY are numbered from 1 in their order.'
    : null;
}

function componentsOf(components: TemplateComponent[], type: string): TemplateComponent[] {
  return components.filter((one) => one.type.toUpperCase() === type);
}

function carouselProblem(cards: NonNullable<TemplateComponent['cards']>): string | null {
  if (cards.length < 2 || cards.length > maxCards) {
    return `A carousel has 2 to ${maxCards} cards.`;
  }
  // The kind of each part, such as "HEADER IMAGE,BODY".
  const parts = cards.map(({ components }) =>
    components
      .map(({ type, format }) => `${type} ${format ?? ''}`.trim().toUpperCase())
      .sort()
      .join(),
  );
  if (!/HEADER (IMAGE|VIDEO)/.test(parts[0]!))
    return 'A card has a header with an image or a video.';
  if (new Set(parts).size > 1) return 'All cards of a carousel have the same parts.';
  for (const { components } of cards) {
    const buttons = componentsOf(components, 'BUTTONS').flatMap((one) => one.buttons ?? []);
    if (buttons.length > maxCardButtons) return `A card has at most ${maxCardButtons} buttons.`;
    const problem = buttonProblem(buttons);
    if (problem) return problem;
  }
  return null;
}

function offerProblem(
  { limited_time_offer: offer }: TemplateComponent,
  components: TemplateComponent[],
): string | null {
  if ((offer?.text?.length ?? 0) > maxOffer) {
    return `The text of an offer has at most ${maxOffer} characters.`;
  }
  if (componentsOf(components, 'FOOTER').length > 0)
    return 'A template with an offer has no FOOTER.';
  const isTooLong = (componentsOf(components, 'BODY')[0]?.text?.length ?? 0) > maxOfferBody;
  return isTooLong ? `The BODY of an offer has at most ${maxOfferBody} characters.` : null;
}

function buttonProblem(buttons: NonNullable<TemplateComponent['buttons']>): string | null {
  if (buttons.length > maxButtons) return `A template has at most ${maxButtons} buttons.`;
  const urls = buttons.filter(({ type }) => type.toUpperCase() === 'URL');
  if (urls.length > maxUrlButtons) {
    return `A template has at most ${maxUrlButtons} buttons of type URL.`;
  }
  const tooLong = buttons.some(({ text = '' }) => text.length > maxButtonText);
  return tooLong ? `The text of a button has at most ${maxButtonText} characters.` : null;
}
