import type { GenericSchema } from 'valibot'
import type { Endpoint } from '../contract/endpoint.ts'
import type { FieldErrors } from '../contract/errors.ts'

/** Maximum length of a text in a call, including surrounding spaces, unless its field allows more. */
export const usualLength = 500
/** Maximum values in one part of a call, including nested values. An error report has the most, about thirty. */
const mostValues = 100
const deepest = 8
const longestName = 100

type Bound = { most: number; sentence: string }
type Bounds = ReadonlyMap<string, Bound>
type Parts = { params: unknown; query: unknown; body: unknown }

const tooLong = 'Please use fewer characters.'
const unreadable = { __all__: ['We could not read that request.'] }

/**
 * Finds the fields that exceed their bounds in a call to this endpoint, with a message for each; `null` for a part without any. Only
 * lengths and counts are checked, because the duration of any other check is not known yet.
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
    // A maximum that applies after trimming does not limit the spaces around the text.
    most: Math.max(usualLength, ...lengths.map(({ requirement }) => requirement)),
    sentence: lengths.map(({ message }) => message).find((message) => typeof message === 'string') ?? tooLong,
  }
}

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

function lengthsIn(rule: Rule): Length[] {
  if (rule.type === 'max_length') return [rule as Length]
  if (rule.type === 'array') return lengthsIn(rule.item!)
  if (rule.entries) return Object.values(rule.entries).flatMap(lengthsIn)
  const options = rule.type === 'union' ? (rule.options as Rule[]) : []
  return [...(rule.pipe ?? []), ...(rule.wrapped ? [rule.wrapped] : []), ...options].flatMap(lengthsIn)
}
