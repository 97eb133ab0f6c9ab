import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take twenty seconds or more, slowest first. */
const slowest = [
  'test/dashboard/live.test.ts',
  'test/dashboard/pages/conversations.test.ts',
  'test/dashboard/every-page.test.ts',
  'test/dashboard/pages/contacts.test.ts',
  'attack/attack.test.ts',
  'test/dashboard/sign-in/sign-in.test.ts',
  'test/dashboard/keyboard.test.ts',
  'src/platform/embedded-postgres/embedded-postgres.test.ts',
  'test/phone/chat.test.ts',
  'test/dashboard/pages/webhook.test.ts',
  'test/stories/kill-service.test.ts',
  'src/cli/commands/contact.test.ts',
  'test/stories/service.test.ts',
  'src/tenants/read-databases.test.ts',
  'test/stories/service-processes.test.ts',
  'test/stories/service-restarts.test.ts',
  'test/stories/kill-send.test.ts',
  'src/bots/answering/killed.test.ts',
  'src/labels/unset-labels.test.ts',
  'test/dashboard/pages/stores.test.ts',
  'test/dashboard/pages/numbers.test.ts',
  'src/idempotency/several-processes.test.ts',
  'src/moving/move-tenant.test.ts',
  'src/cli/commands/tenant-files.test.ts',
  'test/stories/command.test.ts',
  'scripts/check-regular-expressions.test.ts',
  'test/stories/kill-with-events.test.ts',
  'clients/typescript/test/client.test.ts',
  'src/cli/commands/backup.test.ts',
  'test/dashboard/pages/usage.test.ts',
  'test/dashboard/sign-in/two-factor.test.ts',
  'src/api-description/api-description.test.ts',
  'test/stories/silence.test.ts',
  'test/dashboard/every-form.test.ts',
  'test/dashboard/rare-states.test.ts',
  'src/messages/sending/shared-rate.test.ts',
  'test/dashboard/forms.test.ts',
  'test/phone/phones.test.ts',
  'test/phone/messages.test.ts',
  'test/stories/bot-in-the-phone.test.ts',
  'src/bots/answering/answers.test.ts',
  'src/cli/commands/store.test.ts',
  'src/webhooks/delivering/deliveries.test.ts',
];

/**
 * Starts the slowest files first, also on a machine that has never run them. A slow file at the end would
 * keep one worker busy while the others are idle.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const named = slowest.flatMap((name) =>
      others.filter((file) => file.moduleId.endsWith(`/${name}`)),
    );
    return [...named, ...others.filter((file) => !named.includes(file))];
  }
}
