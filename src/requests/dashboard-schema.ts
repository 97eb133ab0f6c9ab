import { Type } from 'typebox';
import { Choice, Nullable, NullableObject } from '../platform/http/field-schema.ts';
import { DataResponse } from '../platform/http/response-schema.ts';
import { Id } from '../platform/values/id.ts';

const Time = Type.String({ format: 'date-time' });

const loggedMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

export const RequestsQuery = Type.Object({
  status: Type.Optional(
    Type.Integer({ minimum: 2, maximum: 5, description: 'The first digit of the HTTP status.' }),
  ),
  method: Type.Optional(Choice(loggedMethods)),
  path: Type.Optional(Type.String({ maxLength: 255, description: 'A part of the path.' })),
  token: Type.Optional(Id),
  request_id: Type.Optional(Type.String({ maxLength: 128 })),
  after: Type.Optional(Type.String({ maxLength: 1_024 })),
});

const request = {
  id: Type.Integer(),
  at: Time,
  method: Type.String(),
  path: Type.String({
    description: 'After the tenant, with the query. Unknown values are masked.',
  }),
  status: Type.Integer(),
  duration_ms: Type.Integer(),
  token: Type.Object({ id: Type.Integer(), name: Type.String() }),
  request_id: Type.String(),
  error: NullableObject(Type.Object({ code: Type.String(), message: Type.String() })),
  left_out: Type.Integer({
    description: 'Further requests of the same second that are not listed.',
  }),
};

export const Requests = DataResponse(
  Type.Object({ requests: Type.Array(Type.Object(request)), after: Nullable('string') }),
);

export const RequestDetails = DataResponse(
  Type.Object({
    ...request,
    request_body: Nullable('string'),
    response_body: Nullable('string'),
  }),
);

export const BodyLog = DataResponse(Type.Object({ bodies_until: Nullable('string') }));

export const SaveBodyLog = Type.Object({
  minutes: Type.Integer({
    minimum: 0,
    maximum: 60,
    description: 'For how long bodies are logged from now on; 0 to stop.',
  }),
});
