import type * as v from 'valibot'

const typeMessages: Record<string, string> = {
  string: 'must be a text.',
  number: 'must be a number.',
  boolean: 'must be true or false.',
  array: 'must be a list.',
  strict_tuple: 'must be a list.',
  loose_tuple: 'must be a list.',
  strict_object: 'must be an object.',
}

/** Describes a fault of a value, such as `must be a whole number, not 21.5.` */
export function describeIssue(issue: v.BaseIssue<unknown>, hidesValues: boolean): string {
  if (issue.kind === 'schema' && issue.expected === 'never') return 'is unknown.'
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'is missing.'
  const message = issue.kind === 'schema' ? (typeMessages[issue.type] ?? `must be ${issue.expected}.`) : issue.message
  const canQuote = /^must be [^]*\.$/.test(message) || issue.type === 'max_length'
  if (hidesValues || !canQuote || message.includes(', not ')) return message
  return message.replace(/\.$/, `, not ${describeValue(issue)}.`)
}

function describeValue({ type, input }: v.BaseIssue<unknown>): string {
  if (type === 'max_length') return String((input as { length: number }).length)
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'object' && input !== null) return 'an object'
  return quoteValue(input)
}

const maxQuotedLength = 60

function quoteValue(value: unknown): string {
  if (typeof value !== 'string') return String(value)
  const characters = [...value]
  return JSON.stringify(
    characters.length > maxQuotedLength ? `${characters.slice(0, maxQuotedLength).join('')}…` : value,
  )
}
