import { describe, expect, test } from 'vitest'
import { hideSensitiveNumbers } from './sensitive-numbers.ts'
import type { NetworkUsage, UsageRecord } from './usage.port.ts'

const at = Temporal.Instant.from('2026-11-20T00:00:00Z')
const helplines = ['0800 733 843', '1737', '1800 737 732', '13 11 14', '0458 737 732']

const record = (destination: string | null, type: UsageRecord['type'] = 'voice'): UsageRecord => ({
  at: at.toString(),
  type,
  amount: 60,
  destination,
})

function usageOf(records: UsageRecord[], numbers = helplines): NetworkUsage {
  const network: NetworkUsage = {
    balances: async () => ({ outcome: 'known', balances: [], foreign: 0 }),
    records: async () => ({ outcome: 'known', records, foreign: 2 }),
  }
  return hideSensitiveNumbers(network, numbers)
}

async function destinationsOf(msisdn: string, destinations: string[], numbers = helplines): Promise<(string | null)[]> {
  const response = await usageOf(
    destinations.map((each) => record(each)),
    numbers,
  ).records(msisdn, at, at)
  return response.outcome === 'known' ? response.records.map(({ destination }) => destination) : []
}

describe('hideSensitiveNumbers: calls and texts to helplines', () => {
  test('calls to a helpline are hidden, in whatever format the network writes its number', async () => {
    const newZealandFormats = [
      '0800733843',
      '+64800733843',
      '64800733843',
      '0064800733843',
      '#31#0800733843',
      '01970800733843',
    ]
    expect(await destinationsOf('+64211234567', [...newZealandFormats, '1737', '+641737'])).toEqual([])
    const australianFormats = [
      '1800737732',
      '+611800737732',
      '131114',
      '+61131114',
      '0458737732',
      '+61458737732',
      '18311800737732',
    ]
    expect(await destinationsOf('+61412345678', australianFormats)).toEqual([])
  })

  test('a helpline that the provider writes with its country code is also hidden when it was dialled without', async () => {
    const destinations = ['1800737732', '+611800737732', '131114']
    expect(await destinationsOf('+61412345678', destinations, ['+61 1800 737 732', '+61 13 11 14'])).toEqual([])
    expect(await destinationsOf('+64211234567', ['1800737732'], ['+61 1800 737 732'])).toEqual(['1800737732'])
  })

  test('numbers that only resemble a helpline’s stay in the list', async () => {
    const others = ['+64275550100', '+6480073384', '+648007338430', '17370', '173', '+44800733843', '+611737']
    expect(await destinationsOf('+64211234567', others)).toEqual(others)
  })

  test('texts to a helpline are hidden, and data usage keeps its amount without the number', async () => {
    const usage = usageOf([record('1737', 'sms'), record('1737', 'data'), record(null, 'data')])
    expect(await usage.records('+64211234567', at, at)).toEqual({
      outcome: 'known',
      records: [record(null, 'data'), record(null, 'data')],
      foreign: 2,
    })
  })

  test('balances and unknown usage are passed on unchanged', async () => {
    const why = { outcome: 'unknown', why: 'no answer in time', foreign: 0 } as const
    const usage = hideSensitiveNumbers({ balances: async () => why, records: async () => why }, helplines)
    expect([await usage.balances('+64211234567'), await usage.records('+64211234567', at, at)]).toEqual([why, why])
  })
})
