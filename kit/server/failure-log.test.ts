import { expect, test } from 'vitest'
import { createFailureLog } from './failure-log.ts'

const minute = 60_000

function aLog() {
  let ms = 0
  const lines: string[] = []
  const say =
    (what: string) =>
    (name: string, { seconds, failures }: { seconds: number; failures: number }) =>
      void lines.push(`${name} ${what} ${seconds}s ${failures}`)
  const words = { begins: say('begins'), goesOn: say('goes on'), ends: say('ends') }
  const log = createFailureLog(words, minute, () => ms)
  return {
    log,
    after: (more: number) => void (ms += more),
    said: () => lines.splice(0),
  }
}

test('logs nothing while there is no failure', () => {
  const { log, said } = aLog()
  log.succeeded('mail')
  log.succeeded('mail')
  expect(said()).toEqual([])
})

test('logs an outage when it begins, once a minute with the number of failures, and when it ends', () => {
  const { log, after, said } = aLog()
  log.failed('mail', 'why')
  expect(said()).toEqual(['mail begins 0s 1'])
  for (let second = 1; second < 60; second++) {
    after(1_000)
    log.failed('mail', 'why')
  }
  expect(said()).toEqual([])
  after(1_000)
  log.failed('mail', 'why')
  expect(said()).toEqual(['mail goes on 60s 61'])
  after(5_000)
  log.succeeded('mail')
  log.succeeded('mail')
  expect(said()).toEqual(['mail ends 65s 61'])
})

test('an outage of one service is not logged as over while that service is unused, or because a different service succeeds', () => {
  const { log, after, said } = aLog()
  log.failed('mail', 'why')
  after(100 * minute)
  log.succeeded('sms')
  expect(said()).toEqual(['mail begins 0s 1'])
  log.failed('mail', 'why')
  expect(said()).toEqual(['mail goes on 6000s 2'])
})

test('logs two lines a minute for an intermittent failure, and counts every failure', () => {
  const { log, after, said } = aLog()
  for (let at = 0; at < 600; at++) {
    log.failed('sms', 'why')
    after(50)
    log.succeeded('sms')
    after(50)
  }
  expect(said()).toEqual(['sms begins 0s 1', 'sms ends 0s 1'])
  log.failed('sms', 'why')
  expect(said()).toEqual(['sms begins 60s 600'])
  log.succeeded('sms')
  expect(said()).toEqual(['sms ends 60s 600'])
})

test('delays the log line about a second outage until a minute after the first', () => {
  const { log, after, said } = aLog()
  log.failed('sms', 'why')
  log.succeeded('sms')
  said()
  after(1_000)
  log.failed('sms', 'why')
  after(minute)
  log.failed('sms', 'why')
  expect(said()).toEqual(['sms begins 60s 2'])
  log.succeeded('sms')
  expect(said()).toEqual(['sms ends 60s 2'])
})

test('the log line about a new failure does not count failures that ended ten minutes earlier', () => {
  const { log, after, said } = aLog()
  log.failed('sms', 'why')
  log.succeeded('sms')
  log.failed('sms', 'why')
  log.succeeded('sms')
  after(10 * minute)
  said()
  log.failed('sms', 'why')
  expect(said()).toEqual(['sms begins 0s 1'])
})
