import { expect, test } from 'vitest'
import { createClientMessageReader, createServerReader, type Said } from './client-messages.ts'

const text = (value: string): Buffer => Buffer.from(`${value}\0`)
const int32 = (value: number): Buffer =>
  Buffer.from([value >> 24, value >> 16, value >> 8, value].map((byte) => byte & 255))
const int16 = (value: number): Buffer => int32(value).subarray(2)
const message = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

const startup = message('', int32(196_608), text('user'), text('ana'), text(''))
const parse = (name: string, statement: string): Buffer => message('P', text(name), text(statement), int16(0))
const bind = (name: string, formats: number[], values: (Buffer | null)[]): Buffer =>
  message(
    'B',
    text(''),
    text(name),
    int16(formats.length),
    ...formats.map(int16),
    int16(values.length),
    ...values.flatMap((value) => (value === null ? [int32(-1)] : [int32(value.length), value])),
    int16(0),
  )
const execute = message('E', text(''), int32(0))
const sync = message('S')

function heardOf(bytes: Buffer, pieces: number): Said[] {
  const heard: Said[] = []
  const read = createClientMessageReader((said) => heard.push(said))
  for (let at = 0; at < bytes.length; at += pieces) read(bytes.subarray(at, at + pieces))
  return heard
}

test.each([1, 7, 10_000])('statements and their values are parsed from the client’s bytes, %d at a time', (pieces) => {
  const ana = Buffer.from('Ana Rewi ā')
  const bytes = Buffer.concat([
    startup,
    message('p', text('secret')),
    message('Q', text('begin')),
    parse('', 'select $1, $2'),
    bind('', [0, 0], [ana, null]),
    execute,
    sync,
    parse('account', 'select 3'),
    bind('account', [1], [Buffer.of(0, 7)]),
    bind('account', [], []),
    sync,
  ])
  expect(heardOf(bytes, pieces)).toEqual([
    { asked: { statement: 'begin', values: [], name: '' } },
    'waits',
    { asked: { statement: 'select $1, $2', values: ['Ana Rewi ā', null], name: '' } },
    'waits',
    { asked: { statement: 'select 3', values: [Buffer.of(0, 7)], name: 'account' } },
    { asked: { statement: 'select 3', values: [], name: 'account' } },
    'waits',
  ])
})

test('the PostgreSQL message parser counts how often the server reports that it is ready', () => {
  let count = 0
  const read = createServerReader(() => (count += 1))
  const bytes = Buffer.concat([
    message('R', int32(0)),
    message('Z', Buffer.from('I')),
    message('1'),
    message('Z', Buffer.from('T')),
  ])
  for (const byte of bytes) read(Buffer.of(byte))
  expect(count).toBe(2)
})
