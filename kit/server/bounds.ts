import type { GenericSchema } from 'valibot'
import type { Endpoint } from '../contract/endpoint.ts'
import type { FieldErrors } from '../contract/errors.ts'

/** No text of a call is longer, spaces around it included, but for fields that say that they take more. */
export const usualLength = 500
/** Values in one part of a call, those inside of others included. A report of an error has the most: some thirty. */
const mostValues = 100
const deepest = 8
const longestName = 100

/** The longest text that a field takes, and what it says of a longer one. */
type Bound = { most: number; sentence: string }
/** Of each field that the schema of a part names. */
type Bounds = ReadonlyMap<string, Bound>
type Parts = { params: unknown; query: unknown; body: unknown }

const tooLong = 'Please use fewer characters.'
const unreadable = { __all__: ['We could not read that request.'] }

/**
 * Finds what is over its bound in a call to this endpoint, with what to say of it; null for a part in which nothing is.
 * Only lengths and counts are looked at: how long anything else would take is not known yet.
 */
export function boundsOf(endpoint: Endpoint): (call: Parts) => { [P in keyof Parts]: FieldErrors | null } {
  const [params, query, body] = [endpoint.params, endpoint.query, endpoint.body].map(boundsOfFields) as [
    Bounds,
    Bounds,
    Bounds,
  ]
  return (call) => ({
    params: excessIn(params, call.params),
    query: excessIn(query, call.query),
    body: excessIn(body, call.body),
  })
}

function excessIn(bounds: Bounds, part: unknown): FieldErrors | null {
  if (!isSmall(part, { values: mostValues })) return unreadable
  if (!isHolder(part)) return isShort(part, usualLength) ? null : unreadable
  const excess = Object.entries(part).filter(
    ([field, value]) => !isShort(value, bounds.get(field)?.most ?? usualLength),
  )
  if (excess.length === 0) return null
  if (excess.some(([field]) => !bounds.has(field))) return unreadable
  return Object.fromEntries(excess.map(([field]) => [field, [bounds.get(field)!.sentence]]))
}

/** Neither many values nor deep ones, and no long names. */
function isSmall(value: unknown, left: { values: number }, depth = 0): boolean {
  if (--left.values < 0 || depth > deepest) return false
  return (
    !isHolder(value) ||
    Object.entries(value).every(([name, inner]) => name.length <= longestName && isSmall(inner, left, depth + 1))
  )
}

const isShort = (value: unknown, most: number): boolean =>
  typeof value === 'string'
    ? value.length <= most
    : !isHolder(value) || Object.values(value).every((inner) => isShort(inner, most))

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

function boundsOfFields(schema: GenericSchema | undefined): Bounds {
  const entries = schema && 'entries' in schema ? (schema.entries as Record<string, Rule>) : {}
  return new Map(Object.entries(entries).map(([field, rule]) => [field, boundOf(rule)]))
}

function boundOf(rule: Rule): Bound {
  const lengths = lengthsIn(rule)
  return {
    // A length that is counted after a trim says nothing of the spaces around it.
    most: Math.max(usualLength, ...lengths.map(({ requirement }) => requirement)),
    sentence: lengths.map(({ message }) => message).find((message) => typeof message === 'string') ?? tooLong,
  }
}

/** A schema or one of its rules, as valibot keeps them. */
type Rule = {
  type: string
  pipe?: Rule[]
  wrapped?: Rule
  options?: unknown[]
  item?: Rule
  entries?: Record<string, Rule>
  requirement?: unknown
  message?: unknown
}
type Length = { requirement: number; message: unknown }

/** What the schema of a field says of the length of a text in it. */
function lengthsIn(rule: Rule): Length[] {
  if (rule.type === 'max_length') return [rule as Length]
  if (rule.type === 'array') return lengthsIn(rule.item!)
  // The texts of what is in a field may be as long as the longest of them.
  if (rule.entries) return Object.values(rule.entries).flatMap(lengthsIn)
  const options = rule.type === 'union' ? (rule.options as Rule[]) : []
  return [...(rule.pipe ?? []), ...(rule.wrapped ? [rule.wrapped] : []), ...options].flatMap(lengthsIn)
}
