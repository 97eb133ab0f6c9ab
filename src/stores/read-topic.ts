import { invalid } from '../platform/errors/api-error.ts';
import { isTopic, type Topic, topics } from './schema.ts';

/** @throws ApiError 422 on `topic` if the text is not a topic */
export function readTopic(text: string): Topic {
  if (isTopic(text)) return text;
  throw invalid({ topic: [`must be one of ${topics.join(', ')}`] });
}
