import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take ten seconds or more, slowest first. */
const slowest = [
  'src/platform/embedded-postgres/embedded-postgres.test.ts',
  'test/service.test.ts',
  'test/dashboard/every-page.test.ts',
  'test/kill-service.test.ts',
  'src/limits/exact-counts.test.ts',
  'src/bots/answering/killed.test.ts',
  'test/kill-send.test.ts',
  'src/limits/limits.test.ts',
  'test/dashboard/contacts.test.ts',
  'test/dashboard/stores.test.ts',
  'test/dashboard/conversations.test.ts',
  'src/messages/sending/send-media.test.ts',
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
