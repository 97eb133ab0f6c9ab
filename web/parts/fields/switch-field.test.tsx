import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { SwitchField } from './switch-field.tsx';

test('a switch is described by its error and its hint', async () => {
  const errors = ['Choose an endpoint first.'];
  await render(
    <SwitchField label="Events" hint="Sends events." errors={errors} value onChange={() => {}} />,
  );
  const description = 'Choose an endpoint first. Sends events.';
  await expect.element(page.getByRole('switch')).toHaveAccessibleDescription(description);
});
