import { type Static, Type } from 'typebox';
import type { TemplateComponent } from './components.ts';
import type { Slot } from './read-slots.ts';
import { Template } from './schema.ts';

const success = Type.Literal(true);

export const TemplateOverview = Type.Object({
  success,
  data: Type.Object({
    synced_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    problem: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    templates: Type.Array(
      Type.Object({
        ...Template.properties,
        components: Type.Unsafe<TemplateComponent[]>({ type: 'array', items: {} }),
        slots: Type.Unsafe<Slot[]>({ type: 'array', items: {} }),
        header_format: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        cannot_send: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'Why Parley cannot send it, even if it is approved.',
        }),
      }),
    ),
  }),
});

export const SyncedTemplates = Type.Object({
  success,
  data: Type.Object({ templates: Type.Integer(), approved: Type.Integer() }),
});

export type TemplateOverviewData = Static<typeof TemplateOverview>['data'];
export type TemplateData = TemplateOverviewData['templates'][number];
export type SyncedTemplatesData = Static<typeof SyncedTemplates>['data'];
