/**
 * A component of a template as the network stores it, with types for the fields that Parley reads.
 */
export type TemplateComponent = {
  type: string;
  format?: string;
  text?: string;
  buttons?: TemplateButton[];
  [other: string]: unknown;
};

export type TemplateButton = { type: string; text?: string; url?: string };

type WithComponents = { components: TemplateComponent[] };

/** Finds the component of a type. The network writes types in capitals, but does not promise it. */
export function componentOf(template: WithComponents, type: string): TemplateComponent | undefined {
  return template.components.find((one) => String(one.type).toUpperCase() === type);
}

/**
 * Returns the header's format: TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION; undefined without a header.
 */
export function headerFormat(template: WithComponents): string | undefined {
  const header = componentOf(template, 'HEADER');
  return header && String(header.format ?? 'TEXT').toUpperCase();
}

export function buttonsOf(template: WithComponents): TemplateButton[] {
  const { buttons } = componentOf(template, 'BUTTONS') ?? {};
  return Array.isArray(buttons) ? buttons : [];
}

const placeholder = /\{\{\s*([^{}\s]+)\s*\}\}/g;

/** Lists the distinct placeholder names of a text, in order of first appearance. */
export function placeholders(text: string | undefined): string[] {
  const found = [...(text ?? '').matchAll(placeholder)];
  return [...new Set(found.map((match) => match[1]!))];
}

/** Replaces each placeholder of a text by its value. */
export function fillText(text: string, valueFor: (name: string) => string | undefined): string {
  return text.replace(placeholder, (whole, name: string) => valueFor(name) ?? whole);
}
