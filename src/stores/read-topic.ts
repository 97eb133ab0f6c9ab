import { invalid } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { isTopic, type Topic, topics } from './schema.ts';

/** @throws ApiError 422 on `topic` if the text is not a topic */
export function readTopic(text: string): Topic {
  if (isTopic(text)) return text;
  throw invalid({
    topic: [fault('not_one_of', 'must be one of {known}', { known: topics.join(', ') })],
  });
}
