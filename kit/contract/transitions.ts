export type TransitionTable<State extends string, Event extends string> = {
  readonly [From in State]: { readonly [On in Event]?: State }
}

/** Returns the state that follows an event, or `null` if the current state does not allow the event. */
export const getNextState = <State extends string, Event extends string>(
  transitions: TransitionTable<State, Event>,
  state: State,
  event: Event,
): State | null => transitions[state][event] ?? null

/**
 * Returns the state that an event leads to and the states that allow the event, for use in a compare-and-set update.
 * @throws if the event leads to no state or to several
 */
export function findTransition<State extends string, Event extends string>(
  transitions: TransitionTable<State, Event>,
  event: Event,
): { from: State[]; to: State } {
  const from = (Object.keys(transitions) as State[]).filter((state) => transitions[state][event])
  const [to, another] = new Set(from.map((state) => transitions[state][event]))
  if (!to || another) throw new Error(`${event} leads to no state, or to several`)
  return { from, to }
}

export const isFinalState = <State extends string, Event extends string>(
  transitions: TransitionTable<State, Event>,
  state: State,
): boolean => Object.keys(transitions[state]).length === 0
