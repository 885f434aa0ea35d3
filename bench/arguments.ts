import { parseArgs } from 'node:util'

/** The parts of the bench, in the order in which they are run. */
export const parts = ['server', 'activations'] as const
export type Part = (typeof parts)[number]

export type Wish = {
  isFull: boolean
  only: readonly Part[]
  /** File for all figures, as JSON. */
  out: string | null
}

export const usage = `--full        hours rather than minutes: longer rounds, and on the embedded database as well
--only PARTS  some of ${parts.join(', ')}, with commas
--out FILE    all figures as JSON`

/** @throws a sentence that says which argument is wrong */
export function readWish(args: string[]): Wish {
  const { values } = parseArgs({
    args,
    options: { full: { type: 'boolean' }, only: { type: 'string' }, out: { type: 'string' } },
  })
  const asked = values.only?.split(',') ?? parts
  const unknown = asked.find((name) => !parts.some((part) => part === name))
  if (unknown !== undefined) throw new Error(`--only takes ${parts.join(', ')}, not ${unknown}.`)
  return {
    isFull: values.full ?? false,
    only: parts.filter((part) => asked.includes(part)),
    out: values.out ?? null,
  }
}
