/** How the network misbehaves. Every knob is off when absent. */
export interface Knobs {
  /** The answer to a send waits this long. */
  delayMs?: number;
  /** Statuses and inbound messages are told this much later. */
  callbackDelayMs?: number;
  /** Time from sent to delivered, and from delivered to an automatic read. */
  stepMs?: number;
  /** Every callback is posted this many times more. */
  duplicate?: number;
  /** A message's statuses are told last one first. */
  disorder?: boolean;
  /** Up to this many updates go into one callback. */
  batch?: number;
  /** What a batch repeats: statuses in one value, changes in one entry, or entries. */
  batchAs?: 'statuses' | 'changes' | 'entries';
  skipDelivered?: boolean;
  autoRead?: boolean;
  /** A network error code: told at once or by a `failed` status, as the network does for it. */
  failWith?: number;
  /** The `details` of that error. */
  failDetails?: string;
  /** Overrules where the code is told. */
  failAs?: 'answer' | 'callback';
  /** The answer is this HTTP status, and the message is not taken. */
  status?: number;
  /** Every other call of the number or its account is answered with this HTTP status. */
  lookupStatus?: number;
  /** With all but `drop` the message is taken. */
  answer?: 'garbage' | 'half' | 'never' | 'drop-after-accept' | 'drop';
  /** false: nothing is told. */
  callbacks?: boolean;
  /** Waits between the tries of a callback that was not answered with 200. */
  retryDelaysMs?: number[];
  /** Phones of Brazil, Argentina and Mexico get the ids that the network gives them. */
  nationalWaIds?: boolean;
  /** false: no history is kept, for load tests. */
  record?: boolean;
}

interface Rule {
  phone_number_id: string | null;
  phone: string | null;
  knobs: Knobs;
  /** Sends left; null means until reset. */
  left: number | null;
}

export interface RuleRequest extends Knobs {
  phone_number_id?: string;
  phone?: string;
  count?: number;
}

export interface Behaviours {
  /** Adds to what holds for the number, the phone, both or all; a knob of null is taken away. */
  set(request: RuleRequest): void;
  /** Forgets the rules of exactly this number and phone; without either, all rules. */
  reset(numberId?: string, phone?: string): void;
  list(): RuleRequest[];
  /** The knobs for one send, which counts against the rules that hold for the next N only. */
  take(numberId: string, phone: string): Knobs;
  /** The same without counting; `phone` null asks for the number's own. */
  peek(numberId: string, phone: string | null): Knobs;
}

const none: Knobs = Object.freeze({});

export function createBehaviours(): Behaviours {
  let rules: Rule[] = [];

  function matching(numberId: string, phone: string | null): Rule[] {
    return rules.filter(
      (rule) =>
        (rule.phone_number_id === null || rule.phone_number_id === numberId) &&
        (rule.phone === null || rule.phone === phone),
    );
  }

  return {
    set({ phone_number_id = null, phone = null, count, ...knobs }) {
      const same = (rule: Rule) =>
        rule.left === null && rule.phone_number_id === phone_number_id && rule.phone === phone;
      const known = count === undefined ? rules.find(same) : undefined;
      const rule = known ?? { phone_number_id, phone, knobs: {}, left: count ?? null };
      Object.assign(rule.knobs, knobs);
      for (const [name, value] of Object.entries(rule.knobs)) {
        if (value === null) delete rule.knobs[name as keyof Knobs];
      }
      if (known) return;
      rules.push(rule);
      // The closer rule is the later one and wins; a rule for the next N wins over all.
      rules.sort((a, b) => closeness(a) - closeness(b));
    },
    reset(numberId, phone) {
      const all = numberId === undefined && phone === undefined;
      rules = all
        ? []
        : rules.filter(
            (rule) => rule.phone_number_id !== (numberId ?? null) || rule.phone !== (phone ?? null),
          );
    },
    list: () =>
      rules.map(({ phone_number_id, phone, left, knobs }) => ({
        ...(phone_number_id && { phone_number_id }),
        ...(phone && { phone }),
        ...(left !== null && { count: left }),
        ...knobs,
      })),
    take(numberId, phone) {
      if (rules.length === 0) return none;
      const found = matching(numberId, phone);
      let spent = false;
      for (const rule of found) {
        if (rule.left !== null && --rule.left === 0) spent = true;
      }
      if (spent) rules = rules.filter((rule) => rule.left !== 0);
      return Object.assign({}, ...found.map((rule) => rule.knobs));
    },
    peek(numberId, phone) {
      if (rules.length === 0) return none;
      return Object.assign({}, ...matching(numberId, phone).map((rule) => rule.knobs));
    },
  };
}

function closeness(rule: Rule): number {
  return (rule.left === null ? 0 : 4) + (rule.phone ? 2 : 0) + (rule.phone_number_id ? 1 : 0);
}
