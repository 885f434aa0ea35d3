import { cleanField } from '#kit/contract/csv-fields.ts'
import { readCsvLines } from '#kit/contract/csv-lines.ts'
import { GatewayReportError } from './gateway-report.port.ts'

export const maxReportBytes = 32 * 1024 * 1024
export const reportTooLargeMessage = `Reports can be up to ${maxReportBytes / 1024 / 1024} MB. Please export a shorter period.`

const maxLineLength = 64 * 1024

export type ReportLine = { line: number; text: string }

/**
 * Streams the lines of a report, without blank lines.
 * @throws GatewayReportError
 */
export async function* readReportLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReportLine> {
  const createError = (message: string): GatewayReportError => new GatewayReportError(message)
  for await (const lines of readCsvLines(limitBytes(bytes), { maxLineLength, createError }))
    for (const { line, text } of lines) {
      if (text === null) throw new GatewayReportError(`Line ${line} is too long for a report.`)
      yield { line, text }
    }
}

async function* limitBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const part of bytes) {
    length += part.byteLength
    if (length > maxReportBytes) throw new GatewayReportError(reportTooLargeMessage)
    yield part
  }
}

/** Splits a line into fields, or returns `null` if a quotation mark is in the wrong place. A field may be quoted. */
export function splitReportLine(text: string, separator: string): string[] | null {
  if (!text.includes('"')) return text.split(separator).map(cleanField)
  const fields: string[] = []
  const quoted = /=?"(?:[^"]|"")*"/y
  for (let start = 0; start <= text.length;) {
    quoted.lastIndex = start
    const isQuoted = quoted.test(text)
    const end = text.indexOf(separator, isQuoted ? quoted.lastIndex : start)
    const field = text.slice(start, end === -1 ? text.length : end)
    if (isQuoted ? field.length > quoted.lastIndex - start : field.includes('"')) return null
    fields.push(cleanField(field))
    start += field.length + 1
  }
  return fields
}
