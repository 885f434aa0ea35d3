export type Step<World> = {
  name: string
  tries: string
  matters: string
  /** Runs the step. A thrown error counts as a difference. */
  run(world: World, notes: Notes): Promise<void>
}

export type Notes = {
  came(text: string): void
  /** Notes a difference from the behaviour that the product needs. The step may continue. */
  differs(text: string): void
  byHand(text: string): void
  signal: AbortSignal
}

export class SkippedError extends Error {}

export function skip(why: string): never {
  throw new SkippedError(why)
}

export function requireResult<Thing>(thing: Thing | null | undefined, step: string): Thing {
  return thing ?? skip(`the step "${step}" did not provide what this step needs`)
}
