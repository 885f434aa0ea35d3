import { setTimeout as pause } from 'node:timers/promises'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { ErrorEvent } from '#providers/errors/errors.port.ts'
import type { ErrorReportsDeps } from './error-reports.deps.ts'
import { forwardErrorJob, type ForwardError } from './error-events.ts'

/** Milliseconds before each further try. */
const pauses = [500, 2_500]
const restSeconds = 60

/**
 * Forwards errors to the error-reporting service, as best it can: three tries, then this one is dropped, and so is what else
 * comes in the minute after. A service that is down for long costs a few lines in the log each minute, and holds nothing up. Errors that
 * wait are in memory only: they are lost when the process dies, and are in its log.
 */
export function errorReportJobs(deps: ErrorReportsDeps): JobDefinition[] {
  // Of this process: another finds out for itself.
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
