/**
 * The abilities of a token (docs/spec.md, section 5, and those beyond it), by the category that the dashboard shows.
 */
export const abilityCategories = {
  Contacts: ['contacts:create', 'contacts:read', 'contacts:update', 'contacts:delete'],
  Statuses: ['statuses:create', 'statuses:read', 'statuses:update', 'statuses:delete'],
  Sources: ['sources:create', 'sources:read', 'sources:update', 'sources:delete'],
  Groups: ['groups:create', 'groups:read', 'groups:update', 'groups:delete'],
  Templates: ['templates:read'],
  'Message Bots': ['message-bots:read'],
  'Template Bots': ['template-bots:read'],
  'Message Sending': ['messages:text', 'messages:media', 'messages:template'],
  Events: ['events:read'],
  Messages: ['messages:read'],
  Conversations: ['conversations:read'],
  Media: ['media:read', 'media:write'],
} as const;

export type Ability = (typeof abilityCategories)[keyof typeof abilityCategories][number];

export const allAbilities: readonly Ability[] = Object.values(abilityCategories).flat();

export function isAbility(text: string): text is Ability {
  return (allAbilities as readonly string[]).includes(text);
}
