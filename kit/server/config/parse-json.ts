import * as v from 'valibot'

export type ReportFault = (line: string) => void

/**
 * Parses JSON and validates it with a schema.
 * @returns null if the text is invalid; `fault` has then received one line per problem, beginning with the file name
 */
export function parseJson<Schema extends v.GenericSchema>(
  file: string,
  text: string,
  schema: Schema,
  fault: ReportFault,
): v.InferOutput<Schema> | null {
  const json = tryParseJson(text)
  if ('error' in json) {
    fault(`${file}: is not JSON: ${json.error}`)
    return null
  }
  const parseResult = v.safeParse(schema, json.value, { abortPipeEarly: true })
  if (parseResult.success) return parseResult.output
  for (const issue of parseResult.issues)
    fault([file, v.getDotPath(issue), getIssueMessage(issue)].filter(Boolean).join(': '))
  return null
}

function tryParseJson(text: string): { value: unknown } | { error: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    // The parser's message quotes the input, whose line breaks would spread the error over several lines.
    return { error: (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ') }
  }
}

const typeMessages: Record<string, string> = {
  string: 'must be a text.',
  number: 'must be a number.',
  boolean: 'must be true or false.',
  array: 'must be a list.',
  strict_tuple: 'must be a list.',
  loose_tuple: 'must be a list.',
  strict_object: 'must be an object.',
}

function getIssueMessage(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema') return issue.message
  if (issue.expected === 'never') return 'is unknown.'
  if (issue.received === 'undefined') return 'is missing.'
  return typeMessages[issue.type] ?? `must be ${issue.expected}.`
}

const notEmptyMessage = 'must not be empty.'

export const singleLineText = (most: number) =>
  v.pipe(
    v.string(),
    v.nonEmpty(notEmptyMessage),
    v.maxLength(most, `must have ${most} characters at most.`),
    v.regex(/^\P{Cc}*$/u, 'must be one line.'),
    v.regex(/\S/, notEmptyMessage),
    // The database cannot store unpaired surrogates, which JSON escapes can produce.
    v.check((text) => text.isWellFormed(), 'must not contain broken characters.'),
  )
