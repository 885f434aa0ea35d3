import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CsvLine, readCsvLines } from './csv-lines.ts'

async function* partsOf(parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}

async function read(...parts: (string | Uint8Array)[]): Promise<CsvLine[]> {
  const createError = (message: string) => new Error(message)
  return (await Array.fromAsync(readCsvLines(partsOf(parts), { maxLineLength: 20, createError }))).flat()
}

const inUtf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

/** Cuts bytes into parts at random places. */
const cutsOf = (bytes: Buffer) =>
  fc.array(fc.nat(bytes.length), { maxLength: 12 }).map((cuts) => {
    const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
    return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
  })

describe('the encodings of a CSV file', () => {
  test.each([
    ['UTF-8', Buffer.from('a,b\nMāori,🦜')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffa,b\nMāori,🦜')],
    ['UTF-16, little-endian', inUtf16('\ufeffa,b\nMāori,🦜')],
    ['UTF-16, little-endian, without a byte order mark', inUtf16('a,b\nMāori,🦜')],
    ['UTF-16, big-endian', inUtf16('\ufeffa,b\nMāori,🦜').swap16()],
    ['UTF-16, big-endian, without a byte order mark', inUtf16('a,b\nMāori,🦜').swap16()],
  ])('reads a CSV file in %s, wherever its chunks end', async (_encoding, bytes) => {
    const expected = [
      { line: 1, text: 'a,b' },
      { line: 2, text: 'Māori,🦜' },
    ]
    await fc.assert(
      fc.asyncProperty(cutsOf(bytes), async (parts) => {
        expect(await read(...parts)).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['an é in Windows-1252', Buffer.from('a,b\n12,é', 'latin1'), 'Line 2, character 4 (“é”, byte E9)'],
    ['an incomplete character at its end', Buffer.from('a,b\nā').subarray(0, -1), 'Line 2, character 1 (“Ä”, byte C4)'],
    ['a byte without a character', Buffer.from([97, 13, 98, 10, 0x81]), 'Line 3, character 1 (byte 81)'],
    ['a replacement character', Buffer.from('🦜\ufffd'), 'Line 1, character 2 (U+FFFD)'],
    ['half a character of UTF-16', inUtf16('\ufeffab\nc\ud83d\n'), 'Line 2, character 2 (U+FFFD)'],
    ['an odd number of bytes in UTF-16', inUtf16('\ufeffabc').subarray(0, -1), 'Line 1, character 3 (U+FFFD)'],
    ['a workbook', Buffer.from('PK\u0003\u0004'), 'Line 1, character 3 (U+0003)'],
    ['a byte after a long line', Buffer.from(`${'9'.repeat(50)}\u0001`), 'Line 1, character 51 (U+0001)'],
  ])('rejects a CSV file that has %s, and names the line and the character', async (_what, bytes, start) => {
    const message = `${start} is not valid UTF-8 text. Save the file as CSV in UTF-8 and try again.`
    await fc.assert(
      fc.asyncProperty(cutsOf(bytes), async (parts) => {
        await expect(read(...parts)).rejects.toThrow(new Error(message))
      }),
      { numRuns: 40 },
    )
  })
})

describe('the lines of a CSV file', () => {
  test.each(['\n', '\r\n', '\r'])(
    'numbers the lines of a CSV file that ends its lines with %j, and skips blank lines',
    async (end) => {
      const bytes = Buffer.from(['a', '', ' \t ', 'b', '9'.repeat(21), 'c', ''].join(end))
      const expected = [
        { line: 1, text: 'a' },
        { line: 4, text: 'b' },
        { line: 5, text: null },
        { line: 6, text: 'c' },
      ]
      await fc.assert(
        fc.asyncProperty(cutsOf(bytes), async (parts) => {
          expect(await read(...parts)).toEqual(expected)
        }),
        { numRuns: 60 },
      )
    },
  )

  test('an empty CSV file has no lines', async () => {
    expect(await read()).toEqual([])
    expect(await read('')).toEqual([])
    expect(await read('\ufeff')).toEqual([])
  })
})
