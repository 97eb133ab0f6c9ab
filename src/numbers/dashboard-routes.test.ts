import { expect, test } from 'vitest';
import { control, testApp } from '../../test/app.ts';
import { signIn } from '../../test/sign-in.ts';

const app = testApp();

test('of the numbers one sends, and every answer about one says whether it does', async () => {
  const shop = await app.tenant({ number: false });
  const owner = await signIn(app, shop);
  const connect = async () => {
    const made = await control(app, 'POST', '/simulator/numbers', {});
    return (await owner.call('POST', '/numbers', made)).body.data;
  };
  const listed = async () =>
    (await owner.call('GET', '/numbers')).body.data.numbers.map(
      ({ id, sends }: { id: number; sends: boolean }) => [id, sends],
    );
  const [first, second] = [await connect(), await connect()];
  expect([first.sends, second.sends]).toEqual([true, false]);
  expect(await listed()).toEqual([
    [first.id, true],
    [second.id, false],
  ]);

  const gone = await owner.call('DELETE', `/numbers/${first.id}`);
  expect(gone.body.data).toMatchObject({ id: first.id, sends: false });
  expect(await listed()).toEqual([[second.id, true]]);
});
