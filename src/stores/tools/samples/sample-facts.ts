/** What varies from one sample to the next. */
export type SampleFacts = { id: number; phone: string; country: string; at: Date };
