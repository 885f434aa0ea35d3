import { createHash } from 'node:crypto'
import type { Region } from '#kit/contract/phone.ts'
import { type BadLine, splitFields, type ParsedSimPack, readSimLine } from './sim-line.ts'

/** Maximum bytes per line; a valid line has about 50 bytes. */
const maxLineBytes = 200
/** Maximum lines per file: twice the lines of the largest known file. */
export const maxFileLines = 2_000_000
/** Maximum bytes per file: every line at its maximum length. */
const computeMaxFileBytes = (lines: number): number => lines * maxLineBytes
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
const wrongHeaderMessage =
  'The first line must be iccid,msisdn or iccid,msisdn,puk. Save the file as UTF-8 and separate fields with commas.'

/**
 * Opens a CSV file of SIM packs of any size as a stream, and keeps only one batch of lines in memory.
 * @throws SimFileError when the first line is not a valid header; while reading, also when the file has more lines than
 * allowed
 */
export async function openSimFile(
  bytes: AsyncIterable<Uint8Array>,
  region: Region,
  lineLimit: number = maxFileLines,
): Promise<SimFile> {
  const hash = createHash('sha256')
  const lineChunks = readLineChunks(bytes, lineLimit, (part) => hash.update(part))
  const { value: firstLines = [] } = await lineChunks.next()
  const [header, ...rest] = firstLines
  // Some programs write a byte order mark at the start of the file.
  const columnNames = splitFields((header?.text ?? '').replace(/^\uFEFF/, '').toLowerCase())
  if (header?.line !== 1 || !validHeaders.includes(columnNames.join(','))) throw new SimFileError(wrongHeaderMessage)
  return {
    lines: batchLines(rest, lineChunks, (line) => parseLine(line, columnNames.length, region)),
    hash: () => hash.digest('hex'),
  }
}

type RawLine = { line: number; text: string | null }

const parseLine = ({ line, text }: RawLine, fields: number, region: Region): FileLine => {
  const pack = text === null ? { fault: 'too_long' as const } : readSimLine(text, fields, region)
  return 'fault' in pack ? { line, ...pack } : { line, pack }
}

async function* batchLines(
  first: RawLine[],
  pieces: AsyncIterable<RawLine[]>,
  read: (line: RawLine) => FileLine,
): AsyncGenerator<FileLine[]> {
  let batch = first.map(read)
  for await (const piece of pieces) {
    batch = batch.concat(piece.map(read))
    for (; batch.length >= linesPerBatch; batch = batch.slice(linesPerBatch)) yield batch.slice(0, linesPerBatch)
  }
  for (; batch.length > 0; batch = batch.slice(linesPerBatch)) yield batch.slice(0, linesPerBatch)
}

export const getFileTooLargeMessage = (lines: number = maxFileLines): string =>
  `Files can be up to ${computeMaxFileBytes(lines) / 1_000_000} MB. Please split this one.`

async function* readLineChunks(
  bytes: AsyncIterable<Uint8Array>,
  lineLimit: number,
  onPart: (part: Uint8Array) => void,
): AsyncGenerator<RawLine[]> {
  const lineReader = createLineReader(lineLimit)
  let byteCount = 0
  for await (const part of bytes) {
    byteCount += part.byteLength
    if (byteCount > computeMaxFileBytes(lineLimit)) throw new SimFileError(getFileTooLargeMessage(lineLimit))
    onPart(part)
    const lines = lineReader.read(part)
    if (lines.length > 0) yield lines
  }
  yield lineReader.end()
}

/**
 * Creates a reader that splits bytes into lines at LF or CRLF, numbered from 1. Returns complete lines and skips empty
 * ones. For an overlong line, the text is `null` and the content is not kept.
 * @throws SimFileError when there are too many lines
 */
export function createLineReader(lineLimit: number = maxFileLines): {
  read(part: Uint8Array): RawLine[]
  end(): RawLine[]
} {
  let line = 0
  let partialLine: Buffer = Buffer.alloc(0)
  let isTooLong = false

  function finishCurrentLine(bytes: Buffer): RawLine[] {
    line++
    if (line > lineLimit + 1)
      throw new SimFileError(`The file has more than ${lineLimit.toLocaleString('en-NZ')} lines. Please split it.`)
    const fullLine = partialLine.length > 0 ? Buffer.concat([partialLine, bytes]) : bytes
    const text = isTooLong || fullLine.length > maxLineBytes ? null : fullLine.toString('utf8').trim()
    partialLine = Buffer.alloc(0)
    isTooLong = false
    return text === '' ? [] : [{ line, text }]
  }

  return {
    read(part) {
      const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
      const lines: RawLine[] = []
      let start = 0
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        lines.push(...finishCurrentLine(bytes.subarray(start, end)))
        start = end + 1
      }
      isTooLong ||= partialLine.length + bytes.length - start > maxLineBytes
      partialLine = isTooLong ? Buffer.alloc(0) : Buffer.concat([partialLine, bytes.subarray(start)])
      return lines
    },
    end: () => (partialLine.length > 0 || isTooLong ? finishCurrentLine(Buffer.alloc(0)) : []),
  }
}
