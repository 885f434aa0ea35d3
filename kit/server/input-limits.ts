import type { GenericSchema } from 'valibot'
import type { Endpoint } from '../contract/endpoint.ts'
import type { FieldErrors } from '../contract/errors.ts'

/** Maximum length of any text in a request, including surrounding spaces, unless its field allows more. */
export const defaultMaxLength = 500
/** Maximum number of values in a request's path, query or body, including nested values. An error report has the most: about thirty. */
const maxValues = 100
const maxDepth = 8
const maxNameLength = 100

type FieldLimit = { most: number; sentence: string }
type FieldLimits = ReadonlyMap<string, FieldLimit>
type RequestParts = { params: unknown; query: unknown; body: unknown }

const tooLongMessage = 'Please use fewer characters.'
const unreadableRequestErrors = { __all__: ['We could not read that request.'] }

/**
 * Creates a check that finds the oversized fields in a request to this endpoint. The check returns a message for each oversized field, or
 * `null` for a part without any. It looks only at lengths and counts, because other checks could take long on an oversized text.
 */
export function createSizeCheck(
  endpoint: Endpoint,
): (call: RequestParts) => { [P in keyof RequestParts]: FieldErrors | null } {
  const [params, query, body] = [endpoint.params, endpoint.query, endpoint.body].map(getFieldLimits) as [
    FieldLimits,
    FieldLimits,
    FieldLimits,
  ]
  return (call) => ({
    params: findOversizedFields(params, call.params),
    query: findOversizedFields(query, call.query),
    body: findOversizedFields(body, call.body),
  })
}

function findOversizedFields(bounds: FieldLimits, part: unknown): FieldErrors | null {
  if (!isWithinSizeLimits(part, { values: maxValues })) return unreadableRequestErrors
  if (!isObject(part)) return isWithinLength(part, defaultMaxLength) ? null : unreadableRequestErrors
  const oversizedFields = Object.entries(part).filter(
    ([field, value]) => !isWithinLength(value, bounds.get(field)?.most ?? defaultMaxLength),
  )
  if (oversizedFields.length === 0) return null
  if (oversizedFields.some(([field]) => !bounds.has(field))) return unreadableRequestErrors
  return Object.fromEntries(oversizedFields.map(([field]) => [field, [bounds.get(field)!.sentence]]))
}

function isWithinSizeLimits(value: unknown, left: { values: number }, depth = 0): boolean {
  if (--left.values < 0 || depth > maxDepth) return false
  return (
    !isObject(value) ||
    Object.entries(value).every(
      ([name, inner]) => name.length <= maxNameLength && isWithinSizeLimits(inner, left, depth + 1),
    )
  )
}

const isWithinLength = (value: unknown, most: number): boolean =>
  typeof value === 'string'
    ? value.length <= most
    : !isObject(value) || Object.values(value).every((inner) => isWithinLength(inner, most))

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function getFieldLimits(schema: GenericSchema | undefined): FieldLimits {
  const entries = schema && 'entries' in schema ? (schema.entries as Record<string, ValibotRule>) : {}
  return new Map(Object.entries(entries).map(([field, rule]) => [field, getFieldLimit(rule)]))
}

function getFieldLimit(rule: ValibotRule): FieldLimit {
  const maxLengthRules = collectMaxLengthRules(rule)
  return {
    // A field's maximum applies after trimming and does not count surrounding spaces, so allow at least the default maximum here.
    most: Math.max(defaultMaxLength, ...maxLengthRules.map(({ requirement }) => requirement)),
    sentence:
      maxLengthRules.map(({ message }) => message).find((message) => typeof message === 'string') ?? tooLongMessage,
  }
}

type ValibotRule = {
  type: string
  pipe?: ValibotRule[]
  wrapped?: ValibotRule
  options?: unknown[]
  item?: ValibotRule
  entries?: Record<string, ValibotRule>
  requirement?: unknown
  /** The limit of `maxCharacters`. */
  most?: number
  message?: unknown
}
type MaxLengthRule = { requirement: number; message: unknown }

function collectMaxLengthRules(rule: ValibotRule): MaxLengthRule[] {
  if (rule.type === 'max_length') return [rule as MaxLengthRule]
  if (rule.most !== undefined) return [{ requirement: rule.most, message: rule.message }]
  if (rule.type === 'array') return collectMaxLengthRules(rule.item!)
  if (rule.entries) return Object.values(rule.entries).flatMap(collectMaxLengthRules)
  const options = rule.type === 'union' ? (rule.options as ValibotRule[]) : []
  return [...(rule.pipe ?? []), ...(rule.wrapped ? [rule.wrapped] : []), ...options].flatMap(collectMaxLengthRules)
}
