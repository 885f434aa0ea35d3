import { GatewayReportError } from './gateway-report.port.ts'

export const maxReportBytes = 32 * 1024 * 1024
export const reportTooLargeMessage = `Reports can be up to ${maxReportBytes / 1024 / 1024} MB. Please export a shorter period.`

const maxLineLength = 64 * 1024

export type ReportLine = { line: number; fields: string[] }

/**
 * Streams the lines of a UTF-8 CSV file, numbered from 1, skipping empty lines. A field may be quoted but must not contain a line break.
 * @throws GatewayReportError
 */
export async function* readReportLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReportLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [line, length, rest] = [0, 0, '']
  const decodePart = (part?: Uint8Array): string => {
    try {
      return part ? decoder.decode(part, { stream: true }) : decoder.decode()
    } catch {
      throw new GatewayReportError(`After line ${line} there is something that is not text in UTF-8.`)
    }
  }
  for await (const part of bytes) {
    length += part.byteLength
    if (length > maxReportBytes) throw new GatewayReportError(reportTooLargeMessage)
    const lines = (rest + decodePart(part)).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) yield* parseLine(++line, text)
    if (rest.length > maxLineLength) throw new GatewayReportError(`Line ${line + 1} is too long for a report.`)
  }
  yield* parseLine(line + 1, rest + decodePart())
}

function* parseLine(line: number, text: string): Generator<ReportLine> {
  const trimmedLine = text.replace(/\r$/, '')
  if (trimmedLine !== '') yield { line, fields: splitFields(trimmedLine, line) }
}

function splitFields(text: string, line: number): string[] {
  if (!text.includes('"')) return text.split(',')
  const [fields, withComma]: [string[], string] = [[], `,${text}`]
  const field = /,(?:"((?:[^"]|"")*)"|([^",]*))/y
  while (field.lastIndex < withComma.length) {
    const [, quoted, plain] = field.exec(withComma) ?? []
    if (quoted === undefined && plain === undefined)
      throw new GatewayReportError(`Line ${line} has a quotation mark in the wrong place.`)
    fields.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
  }
  return fields
}
