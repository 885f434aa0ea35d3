import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appendCheckDigit } from '#quality/support/sim-stock.ts'
import {
  createLineReader,
  type FileLine,
  maxSimFileBytes,
  maxFileLines,
  openSimFile,
  SimFileError,
} from './server/sim-file.ts'
import { readSimLine, getLineFaultMessage } from './server/sim-line.ts'

const iccid = appendCheckDigit('896403112345678901')
const good = `${iccid},021 555 0142,12345678`
const pack = { iccid, msisdn: '+64215550142', puk: '12345678' }

async function* partsOf(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}

async function readAll(...parts: (string | Uint8Array)[]): Promise<FileLine[]> {
  const file = await openSimFile(partsOf(...parts), 'NZ')
  return (await Array.fromAsync(file.lines)).flat()
}

describe('reading the lines of a SIM file', () => {
  test.each([
    ['in the standard format', `${iccid},+64215550142,12345678`],
    ['with a number in national format', good],
    ['with quotes', `"${iccid}","021 555 0142","12345678"`],
    ['with spaces', ` ${iccid} , 021-555-0142 , 12345678 `],
    ['with an ICCID in printed groups', `8964 0311 2345 6789 01${iccid.slice(18)},021 555 0142,12345678`],
  ])('reads a line of a SIM file %s', (_how, line) => expect(readSimLine(line, 3, 'NZ')).toEqual(pack))

  test('the PUK and the PUK column of a SIM file are optional', () => {
    expect(readSimLine(`${iccid},021 555 0142,`, 3, 'NZ')).toEqual({ ...pack, puk: null })
    expect(readSimLine(`${iccid},021 555 0142`, 2, 'NZ')).toEqual({ ...pack, puk: null })
  })

  test('accepts a 20-digit ICCID whose last digit is a valid check digit', () => {
    const longer = appendCheckDigit('8964031123456789012')
    expect(readSimLine(`${longer},021 555 0142`, 2, 'NZ')).toEqual({ ...pack, iccid: longer, puk: null })
  })

  const wrongDigit = iccid.slice(0, -1) + ((Number(iccid.at(-1)) + 1) % 10)
  test.each([
    ['fields', `${iccid},021 555 0142`],
    ['fields', `${good},7`],
    ['fields', `${iccid};021 555 0142;12345678`],
    ['iccid', `,021 555 0142,12345678`],
    ['iccid', `${iccid.slice(1)},021 555 0142,12345678`],
    ['iccid', `${appendCheckDigit('886403112345678901')},021 555 0142,12345678`],
    ['iccid', `8.96403E+18,021 555 0142,12345678`],
    ['iccid', `${iccid}01,021 555 0142,12345678`],
    ['check_digit', `${wrongDigit},021 555 0142,12345678`],
    ['number', `${iccid},09 555 0142,12345678`],
    ['number', `${iccid},+61412345678,12345678`],
    ['number', `${iccid},6.42155E+10,12345678`],
    ['puk', `${iccid},021 555 0142,1234567`],
    ['puk', `${iccid},021 555 0142,123456789`],
    ['puk', `${iccid},021 555 0142,1234567O`],
  ])('reports the fault %s for this line of a SIM file: %s', (fault, line) =>
    expect(readSimLine(line, 3, 'NZ')).toMatchObject({ fault }),
  )

  test('the ICCID and number of an invalid line in a SIM file are kept for review, but nothing that could be a PUK is', () => {
    const kept = (line: string) => (readSimLine(line, 3, 'NZ') as { typed?: object }).typed
    expect(kept(`896403O,021 555 0142,12345678`)).toEqual({ iccid: '896403O', msisdn: '021 555 0142' })
    expect(kept(`${'9'.repeat(60)},māori,87654321`)).toEqual({ iccid: '9'.repeat(40), msisdn: 'm?ori' })
    expect(kept(`1234-5678,12345678,${iccid}`)).toEqual({ iccid: null, msisdn: null })
    expect(kept(`${iccid},12345678`)).toBeUndefined()
  })

  test('the message about an invalid line in a SIM file does not repeat the line, and names the country whose numbers are accepted', () => {
    expect(getLineFaultMessage('puk', { line: null, region: 'NZ' })).toBe('The PUK must have 8 digits.')
    expect(getLineFaultMessage('number', { line: null, region: 'AU' })).toContain('Australia')
    expect(getLineFaultMessage('iccid_twice', { line: 17, region: 'NZ' })).toContain('line 17')
  })
})

describe('reading a SIM file', () => {
  test('numbers the lines of a SIM file as a text editor would, whatever the line ending', async () => {
    const expected = [
      { line: 2, pack },
      { line: 4, fault: 'fields' },
      { line: 5, pack },
    ]
    for (const end of ['\n', '\r\n'])
      for (const mark of ['', '\uFEFF'])
        expect(await readAll(`${mark}ICCID, msisdn ,PUK${end}${good}${end}${end}x${end}${good}${end}`)).toEqual(
          expected,
        )
    expect(await readAll(`iccid,msisdn,puk\n${good}\n\nx\n${good}`)).toEqual(expected)
  })

  test('a SIM file may arrive in chunks of any size', async () => {
    const bytes = Buffer.from(`\uFEFFiccid,msisdn,puk\r\n${good}\r\n${'9'.repeat(500)}\r\n\r\nmāori\r\n${good}`)
    const whole = await readAll(bytes)
    expect(whole.map((each) => ('fault' in each ? each.fault : 'good'))).toEqual(['good', 'too_long', 'fields', 'good'])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
        const parts = at.slice(1).map((end, index) => bytes.subarray(at[index], end))
        expect(await readAll(...parts)).toEqual(whole)
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['nothing', ''],
    ['a different header', 'msisdn,iccid\n'],
    ['no header', `${good}\n`],
    ['semicolons', 'iccid;msisdn\n'],
    ['an empty first line', '\niccid,msisdn\n'],
    ['a long first line', `${'iccid,'.repeat(100)}\n`],
    ['UTF-16', Buffer.from('\uFEFFiccid,msisdn\n', 'utf16le')],
  ])('rejects a SIM file that begins with %s', async (_what, start) => {
    await expect(readAll(start)).rejects.toThrow('The first line must be iccid,msisdn or iccid,msisdn,puk')
  })

  test('rejects a SIM file with too many lines', () => {
    const reader = createLineReader()
    reader.read(Buffer.alloc(maxFileLines + 1, '\n'))
    expect(() => reader.read(Buffer.from('\n'))).toThrow(SimFileError)
  })

  test('an overlong line in a SIM file is not kept in memory', () => {
    const reader = createLineReader()
    for (let count = 0; count < 1_000; count++) expect(reader.read(Buffer.alloc(65_536, '9'))).toEqual([])
    expect(reader.read(Buffer.from('\n'))).toEqual([{ line: 1, text: null }])
    expect(reader.end()).toEqual([])
  })
})

test('rejects a SIM file of more than 400 MB, however few lines it has', async () => {
  const piece = new Uint8Array(1_000_000).fill(120)
  let sent = 0
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('iccid,msisdn\n')
    for (; ; sent += piece.length) yield piece
  }
  const file = await openSimFile(endless(), 'NZ')
  await expect(Array.fromAsync(file.lines)).rejects.toThrow(
    new SimFileError('Files can be up to 400 MB. Please split this one.'),
  )
  expect(sent).toBeLessThanOrEqual(maxSimFileBytes)
})
