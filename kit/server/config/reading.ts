import type { Fault } from './shape.ts'

export type Environment = Record<string, string | undefined>

/** An environment, and where what is wrong with it is told. */
export type Reading = { env: Environment; fault: Fault }

/** Settings that only make sense together: all there, or, where they are not needed, none. */
export function group<Names extends Record<string, string>>(
  { env, fault }: Reading,
  names: Names,
  needed: boolean,
): Record<keyof Names, string> | null {
  const missing = Object.values(names).filter((name) => !env[name])
  if (missing.length === Object.keys(names).length && !needed) return null
  for (const name of missing) fault(`${name} is missing.`)
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, env[name] ?? ''])) as Record<
    keyof Names,
    string
  >
}

/** One of the words that are allowed. */
export function oneOf<const T extends string>(
  { env, fault }: Reading,
  name: string,
  allowed: readonly T[],
  otherwise: NoInfer<T>,
): T {
  const value = env[name]
  if (!value) return otherwise
  const known = allowed.find((one) => one === value)
  if (!known) fault(`${name} is ${JSON.stringify(value)}; it must be one of ${allowed.join(', ')}.`)
  return known ?? otherwise
}

/** A whole number within its bounds. */
export function wholeNumber(
  { env, fault }: Reading,
  name: string,
  { otherwise, least, most }: { otherwise: number; least: number; most: number },
): number {
  const value = env[name]
  if (!value) return otherwise
  const number = Number(value)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  fault(`${name} is ${JSON.stringify(value)}; it must be a whole number from ${least} to ${most}.`)
  return otherwise
}

/** What is written with commas between. */
export const list = (value: string | undefined): string[] =>
  value
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
    : []
