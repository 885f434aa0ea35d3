import { createHash } from 'node:crypto'
import type { Region } from '#kit/contract/phone.ts'
import { type BadLine, fieldsOf, type FilePack, readSimLine } from './sim-line.ts'

/** Maximum bytes of a line; a good line has about 50. */
const longestLine = 200
/** Twice the lines of the largest known file. */
export const mostLines = 2_000_000
/** Good lines are shorter, so no good file is larger. */
const longestFile = (lines: number): number => lines * longestLine
export const mostBytes = longestFile(mostLines)
/** Lines that are staged at a time. Sealing more PUKs at once would delay customers' requests. */
const linesAtOnce = 1_000

export type FileLine = { line: number; pack: FilePack } | ({ line: number } & BadLine)
export type SimFile = {
  /** The lines, in batches, as they arrive. @throws SimFileFault */
  lines: AsyncIterable<FileLine[]>
  hash(): string
}

export class SimFileFault extends Error {}

const headers = ['iccid,msisdn', 'iccid,msisdn,puk']
const wrongHeader = 'The first line must be iccid,msisdn or iccid,msisdn,puk, in UTF-8 with commas.'

/**
 * Streams a CSV file of SIM packs of any size, and holds one batch of lines in memory.
 * @throws SimFileFault when the first line is not a valid header; while reading, also when the file has more than
 * `most` lines
 */
export async function openSimFile(
  bytes: AsyncIterable<Uint8Array>,
  region: Region,
  most: number = mostLines,
): Promise<SimFile> {
  const hash = createHash('sha256')
  const pieces = piecesOf(bytes, most, (part) => hash.update(part))
  const { value: first = [] } = await pieces.next()
  const [header, ...rest] = first
  // Some programs write a byte order mark first.
  const names = fieldsOf((header?.text ?? '').replace(/^\uFEFF/, '').toLowerCase())
  if (header?.line !== 1 || !headers.includes(names.join(','))) throw new SimFileFault(wrongHeader)
  return { lines: batchesOf(rest, pieces, (line) => read(line, names.length, region)), hash: () => hash.digest('hex') }
}

type RawLine = { line: number; text: string | null }

const read = ({ line, text }: RawLine, fields: number, region: Region): FileLine => {
  const pack = text === null ? { fault: 'too_long' as const } : readSimLine(text, fields, region)
  return 'fault' in pack ? { line, ...pack } : { line, pack }
}

async function* batchesOf(
  first: RawLine[],
  pieces: AsyncIterable<RawLine[]>,
  read: (line: RawLine) => FileLine,
): AsyncGenerator<FileLine[]> {
  let waiting = first.map(read)
  for await (const piece of pieces) {
    waiting = waiting.concat(piece.map(read))
    for (; waiting.length >= linesAtOnce; waiting = waiting.slice(linesAtOnce)) yield waiting.slice(0, linesAtOnce)
  }
  for (; waiting.length > 0; waiting = waiting.slice(linesAtOnce)) yield waiting.slice(0, linesAtOnce)
}

export const tooLarge = (lines: number = mostLines): string =>
  `Files can be up to ${longestFile(lines) / 1_000_000} MB. Please split it.`

async function* piecesOf(
  bytes: AsyncIterable<Uint8Array>,
  most: number,
  onPart: (part: Uint8Array) => void,
): AsyncGenerator<RawLine[]> {
  const reader = createLineReader(most)
  let length = 0
  for await (const part of bytes) {
    length += part.byteLength
    if (length > longestFile(most)) throw new SimFileFault(tooLarge(most))
    onPart(part)
    const lines = reader.read(part)
    if (lines.length > 0) yield lines
  }
  yield reader.end()
}

/**
 * Splits bytes into lines at LF or CRLF, numbered from 1. Returns the complete lines without empty lines. An overlong
 * line has the text `null`, and its content is not kept.
 * @throws SimFileFault when there are too many lines
 */
export function createLineReader(most: number = mostLines): { read(part: Uint8Array): RawLine[]; end(): RawLine[] } {
  let line = 0
  let rest: Buffer = Buffer.alloc(0)
  let isTooLong = false

  function take(bytes: Buffer): RawLine[] {
    line++
    if (line > most + 1)
      throw new SimFileFault(`The file has more than ${most.toLocaleString('en-NZ')} lines. Please split it.`)
    const whole = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    const text = isTooLong || whole.length > longestLine ? null : whole.toString('utf8').trim()
    rest = Buffer.alloc(0)
    isTooLong = false
    return text === '' ? [] : [{ line, text }]
  }

  return {
    read(part) {
      const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
      const lines: RawLine[] = []
      let from = 0
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
        lines.push(...take(bytes.subarray(from, end)))
        from = end + 1
      }
      isTooLong ||= rest.length + bytes.length - from > longestLine
      rest = isTooLong ? Buffer.alloc(0) : Buffer.concat([rest, bytes.subarray(from)])
      return lines
    },
    end: () => (rest.length > 0 || isTooLong ? take(Buffer.alloc(0)) : []),
  }
}
