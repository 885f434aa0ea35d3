/** One thing that is tried at somebody else's server, and what the product needs of it. */
export type Step<World> = {
  /** As reports name it, such as `repeat`. */
  name: string
  /** What is tried, in a sentence. */
  tries: string
  /** What of the product does not work where it differs. */
  matters: string
  /** Notes what came back; it may throw, which is a difference as well. */
  run(world: World, notes: Notes): Promise<void>
}

export type Notes = {
  /** What came back. */
  came(text: string): void
  /** What is not as the product needs it; the step goes on. */
  differs(text: string): void
  /** What only a person can see. */
  byHand(text: string): void
  /** Ends when the step has to: its time is up, or somebody wants to stop. */
  signal: AbortSignal
}

/** Thrown by a step that has nothing to try. */
export class Skipped extends Error {}

/** Ends a step that has nothing to try, and says why. */
export function skip(why: string): never {
  throw new Skipped(why)
}

/** What an earlier step has left to go on with. */
export function need<Thing>(thing: Thing | null | undefined, step: string): Thing {
  return thing ?? skip(`"${step}" left nothing to go on with`)
}
