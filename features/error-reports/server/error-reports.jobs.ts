import { setTimeout as pause } from 'node:timers/promises'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { ErrorEvent } from '#providers/errors/errors.port.ts'
import type { ErrorReportsDeps } from './error-reports.deps.ts'
import { forwardErrorJob, type ForwardError } from './error-events.ts'

/** Milliseconds before each further try. */
const pauses = [500, 2_500]
const restSeconds = 60

/**
 * After three failed tries, the error and all errors of the next minute are dropped. A long outage therefore costs a
 * few log lines per minute and delays nothing else. Waiting errors are kept in memory only. If the process dies they
 * are lost, but its log contains them.
 */
export function errorReportJobs(deps: ErrorReportsDeps): JobDefinition[] {
  // Per process: every process detects an outage by itself.
  let restUntil = 0
  const rest = (seconds: number): void => void (restUntil = performance.now() + seconds * 1_000)

  async function forward(event: ErrorEvent): Promise<void> {
    if (!deps.errorReporter || performance.now() < restUntil) return
    try {
      const outcome = await sendWithPatience(deps.errorReporter.send, event)
      if (outcome === 'sent') return
      deps.log.warn({ event: event.id, outcome }, 'the error-reporting service did not take an error')
      if (outcome !== 'refused') rest(outcome.waitSeconds)
    } catch (failure) {
      deps.log.warn({ event: event.id, reason: String(failure) }, 'an error could not be forwarded')
      rest(restSeconds)
    }
  }

  return [{ name: forwardErrorJob, run: ({ event }: ForwardError) => forward(event) }]
}

async function sendWithPatience(
  send: (event: ErrorEvent) => Promise<'sent' | 'refused' | { waitSeconds: number }>,
  event: ErrorEvent,
) {
  for (const wait of pauses) {
    try {
      return await send(event)
    } catch {
      await pause(wait)
    }
  }
  return send(event)
}
