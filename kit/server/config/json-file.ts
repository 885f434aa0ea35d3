import * as v from 'valibot'
import { describeIssue } from './json-faults.ts'
import { type JsonPositions, locateJson } from './json-positions.ts'

export type ReportFault = (line: string) => void

/** Reports a fault of the value at a path such as `3.price_cents`. */
export type ReportFaultAt = (path: string, message: string) => void

/** A JSON file that a person edits. Its faults name the file, the line and the path. */
export type JsonFile = {
  text: string
  findRepeatedKeys: () => string[]
  report: ReportFaultAt
  reportSyntaxError: (message: string) => void
}

/** @param name the name of the file in its faults, or '' for none */
export function openJson(name: string, content: string, fault: ReportFault): JsonFile {
  const text = content.replace(/^\uFEFF/, '')
  let cached: JsonPositions | undefined
  const positions = () => (cached ??= locateJson(text))
  const reportParts = (...parts: (string | null)[]) => fault([name, ...parts].filter(Boolean).join(': '))
  return {
    text,
    findRepeatedKeys: () => positions().findRepeatedKeys(),
    report: (path, message) => {
      const line = positions().findLine(path)
      reportParts(line === null ? null : `line ${line}`, path, message)
    },
    reportSyntaxError: (message) => {
      const at = positions().findSyntaxError()
      reportParts(at && `line ${at.line}, column ${at.column}`, message)
    },
  }
}

/**
 * Parses a JSON file and validates it with a schema.
 * @param hidesValues whether faults must not quote values, because some of them are secret
 * @returns null if the file is invalid; each problem has then been reported in one line
 */
export function parseJsonFile<Schema extends v.GenericSchema>(
  file: JsonFile,
  schema: Schema,
  { hidesValues = false } = {},
): v.InferOutput<Schema> | null {
  const json = tryParseJson(file.text)
  if ('error' in json) {
    file.reportSyntaxError(`is not JSON: ${json.error}.`)
    return null
  }
  const repeatedKeys = file.findRepeatedKeys()
  for (const path of repeatedKeys) file.report(path, 'appears twice.')
  const parsed = v.safeParse(schema, json.value, { abortPipeEarly: true })
  if (parsed.success) return repeatedKeys.length === 0 ? parsed.output : null
  for (const issue of parsed.issues) file.report(v.getDotPath(issue) ?? '', describeIssue(issue, hidesValues))
  return null
}

function tryParseJson(text: string): { value: unknown } | { error: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // The parser's message ends with the position or an excerpt, whose line breaks would spread the fault over several lines.
    return { error: message.replace(/ in JSON at position .*$|, (?:\.{3})?".*$/s, '').replaceAll(/\p{Cc}/gu, ' ') }
  }
}
