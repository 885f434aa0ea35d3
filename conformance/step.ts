export type Step<World> = {
  /** Name in reports, such as `repeat`. */
  name: string
  tries: string
  /** Consequences for the product if the server behaves differently. */
  matters: string
  /** Runs the test and notes the responses. A thrown error counts as a difference. */
  run(world: World, notes: Notes): Promise<void>
}

export type Notes = {
  came(text: string): void
  /** Notes a difference from the behaviour that the product needs. The step continues. */
  differs(text: string): void
  /** Notes a check that only a person can do. */
  byHand(text: string): void
  /** Aborted when the step times out or the run is interrupted. */
  signal: AbortSignal
}

export class Skipped extends Error {}

export function skip(why: string): never {
  throw new Skipped(why)
}

/** The result of an earlier step. Skips the present step if there is none. */
export function need<Thing>(thing: Thing | null | undefined, step: string): Thing {
  return thing ?? skip(`"${step}" left nothing to go on with`)
}
