import fastify from 'fastify';
import { type TSchema, Type } from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import { onlyNamedFields } from './only-named-fields.ts';

function serviceWith(body: TSchema) {
  const app = fastify();
  onTestFinished(() => app.close());
  app.addHook('onRoute', (route) => {
    route.handler = onlyNamedFields(route);
  });
  return app.put('/', { schema: { body } }, async (request) => request.body);
}

const one = Type.Object({ name: Type.String(), note: Type.Optional(Type.String()) });
const all = Type.Object({ all: Type.Literal(true) });

test.each([
  ['an object', one],
  ['a union', Type.Union([one, all])],
])('a handler gets the fields that %s of the schema names, and no others', async (_name, body) => {
  const payload = { name: 'Ada', plan: 'enterprise' };
  const response = await serviceWith(body).inject({ method: 'PUT', url: '/', payload });
  expect(response.json()).toEqual({ name: 'Ada' });
});

test('a route is refused at the start if the schema of its body names no fields', () => {
  expect(() => serviceWith(Type.Record(Type.String(), Type.String()))).toThrow(
    'The body of PUT / needs',
  );
});
