import { Type } from 'typebox';
import { Choice, Nullable, NullableObject } from '../platform/http/field-schema.ts';
import { DataResponse } from '../platform/http/response-schema.ts';
import { auditKinds } from './actions.ts';

const actorKinds = ['member', 'token', 'operator', 'system'] as const;

export const AuditQuery = Type.Object({
  kind: Type.Optional(Choice(auditKinds)),
  actor: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^(member|token|operator|system)(:[A-Za-z0-9_-]+)?$',
      description: 'The kind of the actor and its id, such as `token:12`, or `operator`.',
    }),
  ),
  after: Type.Optional(Type.String({ maxLength: 1_024 })),
});

const Actor = Type.Object({
  kind: Choice(actorKinds),
  id: Nullable('string'),
  name: Nullable('string'),
  email: Nullable('string'),
});

export const AuditLog = DataResponse(
  Type.Object({
    entries: Type.Array(
      Type.Object({
        id: Type.Integer(),
        at: Type.String({ format: 'date-time' }),
        actor: Actor,
        action: Type.String(),
        subject: NullableObject(Type.Object({ id: Nullable('string'), name: Nullable('string') })),
        changes: Type.Array(
          Type.Object({
            field: Type.String(),
            before: Type.Optional(Type.Unknown()),
            after: Type.Optional(Type.Unknown()),
            after_name: Type.Optional(
              Type.String({ description: 'The name of the record whose id is `after`.' }),
            ),
          }),
        ),
      }),
    ),
    after: Nullable('string'),
  }),
);

export const AuditActors = DataResponse(Type.Object({ actors: Type.Array(Actor) }));
