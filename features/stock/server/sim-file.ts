import { createHash, type Hash } from 'node:crypto'
import { dropTrailingEmpty, namedSeparator, tryEachSeparator } from '#kit/contract/csv-fields.ts'
import { type CsvLine, readCsvLines } from '#kit/contract/csv-lines.ts'
import type { Region } from '#kit/contract/phone.ts'
import { type BadLine, type ParsedSimPack, readSimLine, type SimFileLayout, splitFields } from './sim-line.ts'

/** Maximum characters per line; a valid line has about 50. */
const maxLineLength = 200
/** Maximum lines per file: twice the lines of the largest known file. */
export const maxFileLines = 2_000_000
/** Maximum bytes per file: every line at its maximum length. */
const computeMaxFileBytes = (lines: number): number => lines * maxLineLength
export const maxSimFileBytes = computeMaxFileBytes(maxFileLines)
/** How many lines are staged at a time. Encrypting more PUKs in one go would delay customers' requests. */
const linesPerBatch = 1_000

export type FileLine = { line: number; pack: ParsedSimPack } | ({ line: number } & BadLine)
export type SimFile = {
  /**
   * Yields the file's lines in batches as they arrive.
   * @throws SimFileError
   */
  lines: AsyncIterable<FileLine[]>
  hash(): string
}

export class SimFileError extends Error {}

const validHeaders = ['iccid,msisdn', 'iccid,msisdn,puk']
const wrongHeaderMessage = 'The first line must be iccid,msisdn or iccid,msisdn,puk.'

/**
 * Opens a CSV file of SIM packs of any size as a stream, and keeps only one batch of lines in memory. The file may be in UTF-8 or UTF-16,
 * and its fields may be separated in any way that spreadsheet programs do.
 * @throws SimFileError when the first line is not a valid header, or bytes are not text; while reading, also when the file has more lines
 * than allowed
 */
export async function openSimFile(
  bytes: AsyncIterable<Uint8Array>,
  region: Region,
  lineLimit: number = maxFileLines,
): Promise<SimFile> {
  const hash = createHash('sha256')
  const createError = (message: string): SimFileError => new SimFileError(message)
  const lineChunks = readCsvLines(passBytes(bytes, lineLimit, hash), { maxLineLength, createError })
  const { layout, firstLines } = await readHeader(lineChunks)
  function readLine({ line, text }: CsvLine): FileLine[] {
    const pack = text === null ? { fault: 'too_long' as const } : readSimLine(text, layout, region)
    if (!pack) return []
    if (line > lineLimit + 1)
      throw new SimFileError(`The file has more than ${lineLimit.toLocaleString('en-NZ')} lines. Please split it.`)
    return ['fault' in pack ? { line, ...pack } : { line, pack }]
  }
  return { lines: batchLines(firstLines, lineChunks, readLine), hash: () => hash.digest('hex') }
}

/**
 * Reads lines up to the header. Returns the lines that arrived together with the header.
 * @throws SimFileError
 */
async function readHeader(
  lineChunks: AsyncGenerator<CsvLine[]>,
): Promise<{ layout: SimFileLayout; firstLines: CsvLine[] }> {
  let named: string | null = null
  for (;;) {
    const { value: lines, done } = await lineChunks.next()
    if (done) throw new SimFileError(wrongHeaderMessage)
    for (const [index, { text }] of lines.entries()) {
      const separator = namedSeparator(text ?? '')
      if (separator === null) {
        const layout = tryEachSeparator(named, (each) => findLayout(text ?? '', each))
        if (!layout) throw new SimFileError(wrongHeaderMessage)
        return { layout, firstLines: lines.slice(index + 1) }
      }
      named = separator
    }
  }
}

function findLayout(header: string, separator: string): SimFileLayout | null {
  const names = dropTrailingEmpty(splitFields(header.toLowerCase(), separator))
  return validHeaders.includes(names.join(',')) ? { columns: names.length, separator } : null
}

async function* batchLines(
  first: CsvLine[],
  pieces: AsyncIterable<CsvLine[]>,
  read: (line: CsvLine) => FileLine[],
): AsyncGenerator<FileLine[]> {
  let batch = first.flatMap(read)
  for await (const piece of pieces) {
    batch = batch.concat(piece.flatMap(read))
    for (; batch.length >= linesPerBatch; batch = batch.slice(linesPerBatch)) yield batch.slice(0, linesPerBatch)
  }
  for (; batch.length > 0; batch = batch.slice(linesPerBatch)) yield batch.slice(0, linesPerBatch)
}

export const getFileTooLargeMessage = (lines: number = maxFileLines): string =>
  `Files can be up to ${computeMaxFileBytes(lines) / 1_000_000} MB. Please split this one.`

/** Passes on the bytes of a file, and adds them to the hash. @throws SimFileError when the file is too large */
async function* passBytes(bytes: AsyncIterable<Uint8Array>, lineLimit: number, hash: Hash): AsyncGenerator<Uint8Array> {
  let byteCount = 0
  for await (const part of bytes) {
    byteCount += part.byteLength
    if (byteCount > computeMaxFileBytes(lineLimit)) throw new SimFileError(getFileTooLargeMessage(lineLimit))
    hash.update(part)
    yield part
  }
}
