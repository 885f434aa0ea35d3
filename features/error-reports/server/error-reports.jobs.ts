import { setTimeout as pause } from 'node:timers/promises'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { ErrorEvent } from '#providers/errors/errors.port.ts'
import type { ErrorReportsDeps } from './error-reports.deps.ts'
import { forwardErrorJobName, type ForwardedErrorPayload } from './error-events.ts'

/** Milliseconds to wait before the second and third attempts. */
const retryDelaysMs = [500, 2_500]
const pauseAfterFailureSeconds = 60

/**
 * Forwards errors to the error-reporting service. After three failed attempts, it drops the error and any errors in the
 * next minute, so that a long outage produces only a few log lines per minute and delays nothing else. Errors that
 * await forwarding are kept in memory; a crash loses them, but they are in the log.
 */
export function errorReportJobs(deps: ErrorReportsDeps): JobDefinition[] {
  // Each process pauses independently, because each one detects an outage for itself.
  let pausedUntil = 0
  const pauseForwarding = (seconds: number): void => void (pausedUntil = performance.now() + seconds * 1_000)

  async function forwardEvent(event: ErrorEvent): Promise<void> {
    if (!deps.errorReporter || performance.now() < pausedUntil) return
    try {
      const result = await sendWithRetries(deps.errorReporter.send, event)
      if (result === 'sent') return
      deps.log.warn({ event: event.id, outcome: result }, 'the error-reporting service did not accept an error')
      if (result !== 'refused') pauseForwarding(result.waitSeconds)
    } catch (failure) {
      deps.log.warn({ event: event.id, reason: String(failure) }, 'an error could not be forwarded')
      pauseForwarding(pauseAfterFailureSeconds)
    }
  }

  return [{ name: forwardErrorJobName, run: ({ event }: ForwardedErrorPayload) => forwardEvent(event) }]
}

async function sendWithRetries(
  send: (event: ErrorEvent) => Promise<'sent' | 'refused' | { waitSeconds: number }>,
  event: ErrorEvent,
) {
  for (const delayMs of retryDelaysMs) {
    try {
      return await send(event)
    } catch {
      await pause(delayMs)
    }
  }
  return send(event)
}
