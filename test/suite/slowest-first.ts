import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take twenty seconds or more, slowest first. */
const slowest = [
  'test/stories/service.test.ts',
  'src/platform/embedded-postgres/embedded-postgres.test.ts',
  'test/dashboard/pages/conversations.test.ts',
  'test/dashboard/pages/contacts.test.ts',
  'attack/attack.test.ts',
  'test/stories/kill-service.test.ts',
  'test/dashboard/rare-states.test.ts',
  'test/dashboard/every-form.test.ts',
  'test/dashboard/every-page.test.ts',
  'src/cli/commands/contact.test.ts',
  'test/dashboard/sign-in/sign-in.test.ts',
  'src/members/same-email.test.ts',
  'src/members/sign-in/limit-passwords.test.ts',
  'src/limits/exact-counts.test.ts',
  'test/phone/chat.test.ts',
  'test/phone/phones.test.ts',
  'test/stories/kill-send.test.ts',
  'test/dashboard/pages/stores.test.ts',
  'src/bots/answering/killed.test.ts',
  'src/idempotency/several-processes.test.ts',
  'src/bots/answering/answers.test.ts',
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
