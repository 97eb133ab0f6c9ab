import type { NewTemplate, TemplateComponent } from '../types.ts';
import { placeholders } from './templates.ts';

/** In characters, from the network's reference of template components. */
const maxLengths = { HEADER: 60, BODY: 1024, FOOTER: 60 };
const maxButtons = 10;
const maxUrlButtons = 2;
const maxButtonText = 25;

/**
 * Finds why the network would never approve a template.
 *
 * @returns the first problem as a sentence; null if there is none
 */
export function definitionProblem({ components }: Pick<NewTemplate, 'components'>): string | null {
  const ofType = (type: string) => components.filter((one) => one.type.toUpperCase() === type);
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
  return buttonProblem(ofType('BUTTONS').flatMap(({ buttons = [] }) => buttons));
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
