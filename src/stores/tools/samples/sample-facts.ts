/** What varies from one sample to the next. */
export type SampleFacts = { id: string; phone: string; country: string; at: Date };
