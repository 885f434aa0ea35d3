import { describe, expect, test } from 'vitest'
import type { Balance, UsageType } from '#providers/network/usage.port.ts'
import { createEntitlements, createPlanEntitlements } from './entitlements.ts'

const balance = (type: UsageType, remaining: number): Balance => ({
  operationId: null,
  sku: 'plan-30-1-5gb',
  type,
  remaining,
  from: '2026-11-20T00:00:00Z',
  until: '2026-12-20T00:00:00Z',
})
const leftOf = (dataGb: number, ...balances: Balance[]) =>
  createPlanEntitlements({ data_gb: dataGb }, balances)[0]?.remainingAllowance

describe('a plan’s remaining data', () => {
  test.each([
    [1.5, 1500, 1.5, 'GB'],
    [1.5, 1062.5, 1.06, 'GB'],
    [1.5, 1069.999, 1.06, 'GB'],
    [1.5, 9.99, 0, 'GB'],
    [1.5, 10, 0.01, 'GB'],
    [1, 999.99, 0.99, 'GB'],
    [1, 1000, 1, 'GB'],
    [1.5, 1501, 1.5, 'GB'],
    [1.5, 0, 0, 'GB'],
    [0.5, 500, 500, 'MB'],
    [0.5, 499.99, 499, 'MB'],
    [0.5, 0.99, 0, 'MB'],
    [0.5, 501, 500, 'MB'],
    [0.999, 999, 999, 'MB'],
  ])(
    'the remaining data of a %d GB plan with %d MB left at the network is shown as %d %s, never rounded up',
    (dataGb, megabytes, amount, unit) => {
      expect(leftOf(dataGb, balance('data', megabytes))).toEqual({ amount, unit })
    },
  )

  test('a plan’s remaining data is the sum of its data balances only', () => {
    expect(leftOf(1.5, balance('data', 400.6), balance('voice', 300), balance('data', 99.6))).toEqual({
      amount: 0.5,
      unit: 'GB',
    })
  })

  test('a plan’s total allowance and its remaining data are in the same unit', () => {
    expect(createPlanEntitlements({ data_gb: 1.5 }, [])).toEqual([
      {
        name: 'Data',
        totalAllowance: { amount: 1.5, unit: 'GB' },
        remainingAllowance: { amount: 0, unit: 'GB' },
      },
    ])
    expect(createPlanEntitlements({ data_gb: 0.2504 }, [])).toEqual([
      {
        name: 'Data',
        totalAllowance: { amount: 250, unit: 'MB' },
        remainingAllowance: { amount: 0, unit: 'MB' },
      },
    ])
  })

  test('a plan shows only its data allowance, so a plan without data shows nothing', () => {
    expect(
      createPlanEntitlements({ data_gb: 0 }, [balance('data', 10), balance('voice', 5), balance('sms', 5)]),
    ).toEqual([])
  })
})

describe('an add-on’s remaining allowances', () => {
  const all = [balance('data', 123.45), balance('voice', 59.9), balance('voice', 0.2), balance('sms', 7.9)]

  test('an add-on shows data, minutes and messages in whole units', () => {
    expect(createEntitlements({ data_gb: 0.2, voice_mins: 100, txt_sms: 50 }, all)).toEqual([
      { name: 'Data', totalAllowance: { amount: 200, unit: 'MB' }, remainingAllowance: { amount: 123, unit: 'MB' } },
      {
        name: 'Minutes',
        totalAllowance: { amount: 100, unit: 'Mins' },
        remainingAllowance: { amount: 60, unit: 'Mins' },
      },
      { name: 'SMS/MMS', totalAllowance: { amount: 50, unit: 'SMS' }, remainingAllowance: { amount: 7, unit: 'SMS' } },
    ])
  })

  test('an add-on shows only the allowances that it includes, and never more than their totals', () => {
    expect(createEntitlements({ data_gb: 0, voice_mins: 1, txt_sms: 0 }, all)).toEqual([
      { name: 'Minutes', totalAllowance: { amount: 1, unit: 'Mins' }, remainingAllowance: { amount: 1, unit: 'Mins' } },
    ])
    expect(createEntitlements({ data_gb: 0, voice_mins: 0, txt_sms: 1 }, all)).toEqual([
      { name: 'SMS/MMS', totalAllowance: { amount: 1, unit: 'SMS' }, remainingAllowance: { amount: 1, unit: 'SMS' } },
    ])
  })
})
