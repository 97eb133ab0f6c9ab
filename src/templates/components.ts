/** A part of a template as the network stores it; only what Parley reads is named. */
export type TemplateComponent = {
  type: string;
  format?: string;
  text?: string;
  buttons?: TemplateButton[];
  [other: string]: unknown;
};

export type TemplateButton = { type: string; text?: string; url?: string };

type WithComponents = { components: TemplateComponent[] };

/** The component of a type; the network writes types in capitals, but nobody promises that. */
export function componentOf(template: WithComponents, type: string): TemplateComponent | undefined {
  return template.components.find((one) => String(one.type).toUpperCase() === type);
}

/** HEADER's format: TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION; undefined without a header. */
export function headerFormat(template: WithComponents): string | undefined {
  const header = componentOf(template, 'HEADER');
  return header && String(header.format ?? 'TEXT').toUpperCase();
}

export function buttonsOf(template: WithComponents): TemplateButton[] {
  const { buttons } = componentOf(template, 'BUTTONS') ?? {};
  return Array.isArray(buttons) ? buttons : [];
}

const placeholder = /\{\{\s*([^{}\s]+)\s*\}\}/g;

/** The distinct placeholder names of a text, in order of first appearance. */
export function placeholders(text: string | undefined): string[] {
  const found = [...(text ?? '').matchAll(placeholder)];
  return [...new Set(found.map((match) => match[1]!))];
}

/** The text with each placeholder replaced by its value. */
export function fillText(text: string, valueFor: (name: string) => string | undefined): string {
  return text.replace(placeholder, (whole, name: string) => valueFor(name) ?? whole);
}
