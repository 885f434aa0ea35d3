import { parseArgs } from 'node:util'

export const parts = ['server', 'activations', 'start', 'clicks', 'scale', 'desk', 'night', 'day', 'peers'] as const
export type Part = (typeof parts)[number]

/**
 * Parts that the short form runs. It leaves out `peers`, because installing other vendors' programs requires `--only peers` or `--full`.
 */
const defaultParts = parts.filter((part) => part !== 'peers')

export type BenchOptions = {
  isFull: boolean
  only: readonly Part[]
  /** Number of services in the larger database; null for the default of the short or the full form. */
  services: number | null
  out: string | null
}

export const usage = `--full        hours rather than minutes: longer rounds, on the embedded database as well, and a million services
--only PARTS  some of ${parts.join(', ')}, with commas; all but peers without --full
--services N  how many the larger database has; a million with --full, none without
--out FILE    all figures as JSON`

/** Reads the command line of `npm run bench`. @throws an error that says which argument is invalid */
export function readBenchOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      full: { type: 'boolean' },
      only: { type: 'string' },
      services: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const asked = values.only?.split(',') ?? (values.full ? parts : defaultParts)
  const unknown = asked.find((name) => !parts.some((part) => part === name))
  if (unknown !== undefined) throw new Error(`--only takes ${parts.join(', ')}, not ${unknown}.`)
  if (values.services !== undefined && !/^[1-9]\d{3,7}$/.test(values.services))
    throw new Error(`--services takes a number from 1000 to 99999999, not ${values.services}.`)
  return {
    isFull: values.full ?? false,
    only: parts.filter((part) => asked.includes(part)),
    services: values.services === undefined ? null : Number(values.services),
    out: values.out ?? null,
  }
}
