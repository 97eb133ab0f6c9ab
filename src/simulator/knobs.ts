/** Settings for misbehaviour of the network. Every knob is off if absent. */
export type Knobs = {
  /** Delays the response to a send. */
  delayMs?: number;
  /** Delays callbacks. */
  callbackDelayMs?: number;
  /** Time from sent to delivered, and from delivered to an automatic read. */
  stepMs?: number;
  /** Number of repeats of every callback. */
  duplicate?: number;
  /** Reports the statuses of a message in reverse order. */
  disorder?: boolean;
  /** Maximum number of updates in one callback. */
  batch?: number;
  /** How a batch is nested: as statuses of one value, changes of one entry, or entries. */
  batchAs?: 'statuses' | 'changes' | 'entries';
  /** Puts the updates of all numbers of an account into the same callbacks, as the network can. It needs `batch`. */
  batchNumbers?: boolean;
  skipDelivered?: boolean;
  autoRead?: boolean;
  /** A network error code. Reported by the response or by a `failed` status, as the network does. */
  failWith?: number;
  /** The `details` of that error. */
  failDetails?: string;
  /** Overrides whether the response or a callback reports the code. */
  failAs?: 'answer' | 'callback';
  /** Responds with this HTTP status, and `failWith` if given, and does not accept the message. */
  status?: number;
  /** Responds with this HTTP status to every other request for the number or its account. */
  lookupStatus?: number;
  /** Responds with this HTTP status to every download of a file of the number. */
  fileStatus?: number;
  /** Spoils the response. The message is accepted, except with `drop`. */
  answer?: 'garbage' | 'half' | 'never' | 'drop-after-accept' | 'drop';
  /** What the response says of an accepted template, as while the network assesses the quality of new ones. */
  messageStatus?: 'accepted' | 'held_for_quality_assessment' | 'paused';
  /** The type of the price in statuses. In a free entry point, they also name its conversation. */
  pricingType?: 'regular' | 'free_customer_service' | 'free_entry_point';
  /** The category of the price in statuses, such as `authentication-international`. */
  pricingCategory?: string;
  /** false: no callbacks. */
  callbacks?: boolean;
  /** Delays between attempts of a callback whose response is not 200. */
  retryDelaysMs?: number[];
  /** Gives phones of Brazil, Argentina and Mexico the network's ids, which differ from the number, in both directions. */
  nationalWaIds?: boolean;
  /** false: stores no history, for load tests. */
  record?: boolean;
};

export type RuleRequest = Knobs & {
  phone_number_id?: string;
  phone?: string;
  count?: number;
};
