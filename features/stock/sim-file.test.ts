import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appendCheckDigit } from '#quality/support/sim-stock.ts'
import { type FileLine, maxSimFileBytes, openSimFile, SimFileError } from './server/sim-file.ts'
import { readSimLine, getLineFaultMessage } from './server/sim-line.ts'

const iccid = appendCheckDigit('896403112345678901')
const good = `${iccid},021 555 0142,12345678`
const withPuk = { columns: 3, separator: ',' }
const withoutPuk = { columns: 2, separator: ',' }
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
    ['with no-break spaces', `\u00a0${iccid},021\u00a0555\u00a00142,12345678`],
    ['with an ICCID that an F fills up to 20 digits', `${iccid}F,021 555 0142,12345678`],
    ['with a small f after the ICCID', `${iccid}f,021 555 0142,12345678`],
    ['whose fields are formulas with a text', `="${iccid}",="021 555 0142",="12345678"`],
    ['whose fields start with an apostrophe', `'${iccid},'021 555 0142,'12345678`],
    ['with direction marks', `\u202d${iccid}\u202c,\u202d021 555 0142\u202c,\u200e12345678`],
    ['with full-width digits', `${iccid},０２１ ５５５ ０１４２,12345678`],
    ['with empty columns at the end', `${good},,"", `],
    ['with an ICCID in printed groups', `8964 0311 2345 6789 01${iccid.slice(18)},021 555 0142,12345678`],
  ])('reads a line of a SIM file %s', (_how, line) => expect(readSimLine(line, withPuk, 'NZ')).toEqual(pack))

  test.each(['', ',,', ', "" ,', ','.repeat(9)])('skips a line of a SIM file without values: %j', (line) =>
    expect(readSimLine(line, withPuk, 'NZ')).toBeNull(),
  )

  test('the PUK and the PUK column of a SIM file are optional', () => {
    expect(readSimLine(`${iccid},021 555 0142,`, withPuk, 'NZ')).toEqual({ ...pack, puk: null })
    expect(readSimLine(`${iccid},021 555 0142`, withoutPuk, 'NZ')).toEqual({ ...pack, puk: null })
  })

  test('accepts a 20-digit ICCID whose last digit is a valid check digit', () => {
    const longer = appendCheckDigit('8964031123456789012')
    expect(readSimLine(`${longer},021 555 0142`, withoutPuk, 'NZ')).toEqual({ ...pack, iccid: longer, puk: null })
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
    ['iccid', `${iccid}FF,021 555 0142,12345678`],
    ['iccid', `${iccid}0F,021 555 0142,12345678`],
    ['iccid', `${iccid}01,021 555 0142,12345678`],
    ['check_digit', `${wrongDigit},021 555 0142,12345678`],
    ['number', `${iccid},09 555 0142,12345678`],
    ['number', `${iccid},+61412345678,12345678`],
    ['number', `${iccid},6.42155E+10,12345678`],
    ['puk', `${iccid},021 555 0142,1234567`],
    ['puk', `${iccid},021 555 0142,123456789`],
    ['puk', `${iccid},021 555 0142,1234567O`],
  ])('reports the fault %s for this line of a SIM file: %s', (fault, line) =>
    expect(readSimLine(line, withPuk, 'NZ')).toMatchObject({ fault }),
  )

  test('the ICCID and number of an invalid line in a SIM file are kept for review, but nothing that could be a PUK is', () => {
    const kept = (line: string) => (readSimLine(line, withPuk, 'NZ') as { typed?: object }).typed
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
    ['colons', 'iccid:msisdn\n'],
    ['a separator but no header', 'sep=;\n'],
    ['a long first line', `${'iccid,'.repeat(100)}\n`],
  ])('rejects a SIM file that begins with %s', async (_what, start) => {
    await expect(readAll(start)).rejects.toThrow('The first line must be iccid,msisdn or iccid,msisdn,puk')
  })

  test('rejects a SIM file with too many lines, not counting empty ones at its end', async () => {
    const countLines = async (text: string) => {
      const file = await openSimFile(partsOf(text), 'NZ', 3)
      return (await Array.fromAsync(file.lines)).flat().length
    }
    const threeLines = `iccid,msisdn\n${'x\n'.repeat(3)}`
    expect(await countLines(`${threeLines},\n\n,,\n`)).toBe(3)
    await expect(countLines(`${threeLines},\nx\n`)).rejects.toThrow(
      new SimFileError('The file has more than 3 lines. Please split it.'),
    )
  })

  test('an overlong line in a SIM file is reported as too long, and the next line is read', async () => {
    const parts = Array.from({ length: 1_000 }, () => Buffer.alloc(65_536, '9'))
    expect(await readAll('iccid,msisdn,puk\n', ...parts, `\n${good}`)).toEqual([
      { line: 2, fault: 'too_long' },
      { line: 3, pack },
    ])
  })

  test.each([
    ['semicolons', ';', ''],
    ['tabs', '\t', ''],
    ['vertical bars', '|', ''],
    ['semicolons that the first line names', ';', 'sep=;\r\n'],
    ['tabs that the first line names', '\t', 'sep=\t\r\n'],
    ['carets that the first line names', '^', '"sep=^"\r\n'],
    ['semicolons, although the first line names commas', ';', 'sep=,\r\n'],
  ])('reads a SIM file whose fields are separated by %s', async (_what, separator, firstLine) => {
    const table = `${firstLine}iccid,msisdn,puk,\r\n${good},\r\n,,,\r\n`.replaceAll(/(?<!=),/g, separator)
    const line = firstLine ? 3 : 2
    expect(await readAll(table)).toEqual([{ line, pack }])
    expect(await readAll(Buffer.from(`\uFEFF${table}`, 'utf16le'))).toEqual([{ line, pack }])
  })

  test('rejects a SIM file with bytes that are not text, and names the line and the character', async () => {
    await expect(readAll(`iccid,msisdn\n${iccid},021`, Buffer.from([0xa0]), '555 0142\n')).rejects.toThrow(
      new SimFileError(
        'Line 2, character 24 (byte A0) is not valid UTF-8 text. Save the file as CSV in UTF-8 and try again.',
      ),
    )
  })
})

const sampleFiles = join(import.meta.dirname, 'sample-files')

test.each(readdirSync(sampleFiles))('reads the SIM of the good line of %s', async (name) => {
  const samplePack = { iccid: '8964030000000090004', msisdn: '+64220009000', puk: '10000001' }
  expect(await readAll(readFileSync(join(sampleFiles, name)))).toEqual([{ line: 2, pack: samplePack }])
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
