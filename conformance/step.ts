export type Step<World> = {
  name: string
  tries: string
  matters: string
  /** Runs the step. If it throws, the step has failed. */
  run(world: World, notes: Notes): Promise<void>
}

export type Notes = {
  came(text: string): void
  /** Reports that the service does not behave as Fantail requires, which fails the step. The step may continue. */
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
