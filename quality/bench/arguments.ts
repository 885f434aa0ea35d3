import { parseArgs } from 'node:util'

export const parts = ['server', 'activations', 'start', 'clicks', 'scale', 'desk', 'night', 'day', 'peers'] as const
export type Part = (typeof parts)[number]

/**
 * The parts that a short run includes. `peers` has to be requested with `--only peers` or `--full`, because it installs other vendors'
 * programs.
 */
const defaultBenchParts = parts.filter((part) => part !== 'peers')

export type BenchOptions = {
  isFull: boolean
  only: readonly Part[]
  /** The number of services in the larger database; null for the default, which depends on whether the run is short or full. */
  services: number | null
  out: string | null
}

export const usage = `--full        hours rather than minutes: longer rounds, on the embedded database as well, and a million services
--only PARTS  some of ${parts.join(', ')}, with commas; all but peers without --full
--services N  how many the larger database has; a million with --full, none without
--out FILE    all figures as JSON`

/** Reads the command line of `npm run bench`. @throws an error that names the invalid argument */
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
  const asked = values.only?.split(',') ?? (values.full ? parts : defaultBenchParts)
  const unknownPart = asked.find((name) => !parts.some((part) => part === name))
  if (unknownPart !== undefined) throw new Error(`--only takes ${parts.join(', ')}, not ${unknownPart}.`)
  if (values.services !== undefined && !/^[1-9]\d{3,7}$/.test(values.services))
    throw new Error(`--services takes a number from 1000 to 99999999, not ${values.services}.`)
  return {
    isFull: values.full ?? false,
    only: parts.filter((part) => asked.includes(part)),
    services: values.services === undefined ? null : Number(values.services),
    out: values.out ?? null,
  }
}
