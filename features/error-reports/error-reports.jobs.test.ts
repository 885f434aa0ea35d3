import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ErrorEvent, ErrorReporter } from '#providers/errors/errors.port.ts'
import { errorReportJobs } from './server/error-reports.jobs.ts'
import type { ErrorReportsDeps } from './server/error-reports.deps.ts'
import { createServerErrorForwarder } from './server/forward-server-errors.ts'

type Outcome = Awaited<ReturnType<ErrorReporter['send']>> | Error

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const eventOf = (id: string) => ({ id }) as ErrorEvent

function worker(...outcomes: Outcome[]) {
  const asked: string[] = []
  const warned: string[] = []
  const errorReporter: ErrorReporter = {
    async send({ id }) {
      asked.push(id)
      const outcome = outcomes.shift() ?? 'sent'
      if (outcome instanceof Error) throw outcome
      return outcome
    },
  }
  const log = { info() {}, error() {}, warn: (_details: object, message: string) => void warned.push(message) }
  const [job] = errorReportJobs({ errorReporter, log } as unknown as ErrorReportsDeps)
  return { asked, warned, forward: (id: string) => job!.run({ event: eventOf(id) } as never) }
}
const down = () => new Error('the error-reporting service answered HTTP 500')

describe('forwarding errors to the error-reporting service', () => {
  test('an error that the error-reporting service accepts is forwarded once', async () => {
    const { asked, warned, forward } = worker()
    await forward('a')
    expect({ asked, warned }).toEqual({ asked: ['a'], warned: [] })
  })

  test('forwarding an error is attempted up to three times with the same event ID', async () => {
    const { asked, warned, forward } = worker(down(), down())
    await forward('a')
    expect({ asked, warned }).toEqual({ asked: ['a', 'a', 'a'], warned: [] })
  })

  test('after three failed attempts, all errors in the next minute are dropped and only one warning is logged', async () => {
    const { asked, warned, forward } = worker(down(), down(), down())
    await forward('a')
    await forward('b')
    vi.advanceTimersByTime(59_000)
    await forward('c')
    expect({ asked, warned }).toEqual({ asked: ['a', 'a', 'a'], warned: ['an error could not be forwarded'] })
    vi.advanceTimersByTime(2_000)
    await forward('d')
    expect(asked.slice(3)).toEqual(['d'])
  })

  test('no error is forwarded for as long as the error-reporting service has asked us to wait', async () => {
    const { asked, warned, forward } = worker({ waitSeconds: 300 })
    await forward('a')
    vi.advanceTimersByTime(299_000)
    await forward('b')
    expect({ asked, warned }).toEqual({ asked: ['a'], warned: ['the error-reporting service did not accept an error'] })
    vi.advanceTimersByTime(2_000)
    await forward('c')
    expect(asked).toEqual(['a', 'c'])
  })

  test('after the error-reporting service rejects an error, the next error is still forwarded', async () => {
    const { asked, warned, forward } = worker('refused')
    await forward('a')
    await forward('b')
    expect({ asked, warned }).toEqual({
      asked: ['a', 'b'],
      warned: ['the error-reporting service did not accept an error'],
    })
  })

  test('no error is forwarded when no error-reporting service is configured', async () => {
    const [job] = errorReportJobs({ errorReporter: null } as ErrorReportsDeps)
    expect(await job!.run({ event: eventOf('a') } as never)).toBeUndefined()
  })
})

describe('forwarding the server’s own errors', () => {
  function passing({ hasRoom = true, service = true } = {}) {
    const queued: ErrorEvent[] = []
    const warned: string[] = []
    const jobs = {
      sendInMemory(_name: string, { event }: { event: ErrorEvent }) {
        if (hasRoom) queued.push(event)
        return hasRoom
      },
    }
    const log = { info() {}, error() {}, warn: (_details: object, message: string) => void warned.push(message) }
    const passOn = createServerErrorForwarder({
      jobs,
      log,
      errorReporter: service ? { send: async () => 'sent' } : null,
    } as unknown as ErrorReportsDeps)
    return { queued, warned, passOn }
  }

  test('a server error is forwarded without personal data, and its stack frames show only the project’s own files', () => {
    const { queued, passOn } = passing()
    const error = Object.assign(new TypeError('no row for ana@example.nz in "users"'), {
      code: '23505',
      detail: 'Key (email)=(ana@example.nz)',
    })
    passOn(error, { kind: 'request', request_id: 'r-1' })
    expect(queued).toMatchObject([
      {
        side: 'server',
        name: 'TypeError',
        message: 'no row for <email> in <text>',
        tags: { kind: 'request', request_id: 'r-1', code: '23505' },
      },
    ])
    expect(queued[0]?.frames[0]).toMatch(/^features\/error-reports\/error-reports\.jobs\.test\.ts:\d+:\d+$/)
    expect(queued[0]?.frames.join()).not.toContain('node_modules')
    expect(JSON.stringify(queued)).not.toContain('ana@')
  })

  test.each([['text'], [null], [Object.create(null)], [7]])(
    'forwards a thrown value of any type as an error: %o',
    (thrown) => {
      const { queued, passOn } = passing()
      passOn(thrown, { kind: 'upkeep' })
      expect(queued).toMatchObject([{ name: 'Error', tags: { kind: 'upkeep' } }])
    },
  )

  test('at most thirty server errors are forwarded per minute', () => {
    const { queued, passOn } = passing()
    for (let each = 0; each < 100; each++) passOn(new Error('again'), {})
    expect(queued).toHaveLength(30)
    vi.advanceTimersByTime(61_000)
    passOn(new Error('again'), {})
    expect(queued).toHaveLength(31)
  })

  test('a warning is logged if the queue is full, and errors are not queued if no error-reporting service is configured', () => {
    const full = passing({ hasRoom: false })
    full.passOn(new Error('first'), {})
    expect(full.warned).toEqual(['an error was not forwarded: the queue is full'])
    const unconfigured = passing({ service: false })
    unconfigured.passOn(new Error('first'), {})
    expect(unconfigured.queued).toEqual([])
  })
})
