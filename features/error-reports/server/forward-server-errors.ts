import { join } from 'node:path'
import type { ErrorEvent } from '#providers/errors/errors.port.ts'
import { scrub } from '../scrub.contract.ts'
import type { ErrorReportsDeps } from './error-reports.deps.ts'
import { forwardErrorJobName, type ForwardedErrorPayload, createErrorEvent } from './error-events.ts'

/** Maximum server errors forwarded per minute. During a database outage every request fails, and a few reports are enough. */
const maxErrorsPerMinute = 30

/** Queues a server error for forwarding; never waits or throws. `tags` are short words that say where the error happened. */
export type ServerErrorForwarder = (error: unknown, tags: Record<string, string>) => void

export function createServerErrorForwarder(deps: ErrorReportsDeps): ServerErrorForwarder {
  let forwardedAt: number[] = []

  return (error, tags) => {
    if (!deps.errorReporter) return
    forwardedAt = forwardedAt.filter((at) => performance.now() - at < 60_000)
    if (forwardedAt.push(performance.now()) > maxErrorsPerMinute) return void forwardedAt.pop()
    const event = createServerErrorEvent(error, tags)
    if (!deps.jobs.sendInMemory(forwardErrorJobName, { event } satisfies ForwardedErrorPayload))
      deps.log.warn({ event: event.id }, 'an error was not forwarded: the queue is full')
  }
}

function createServerErrorEvent(error: unknown, tags: Record<string, string>): ErrorEvent {
  const { name, message, stack } =
    error instanceof Error ? error : new Error(typeof error === 'string' ? error : 'something that is no error')
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
  return {
    ...createErrorEvent(),
    side: 'server',
    name: name.slice(0, 60),
    message: scrub(message),
    frames: parseFrames(stack ?? ''),
    release: null,
    fingerprint: null,
    // Scrubbing may remove an operating system or database error code from the message, so send the code as a tag.
    tags: { ...tags, ...(code && /^\w{1,40}$/.test(code) && { code }) },
  }
}

const root = join(import.meta.dirname, '../../../')

/** Returns the stack frames in our own files. Paths are relative to the project root, so that the installation path is not disclosed. */
function parseFrames(stack: string): string[] {
  const matchedFrames = stack.matchAll(/(?<=[\s(]|file:\/\/)(\/[^\s():]+):(\d+):(\d+)\)?$/gm)
  return [...matchedFrames]
    .filter(([, file = '']) => file.startsWith(root) && !file.includes('/node_modules/'))
    .slice(0, 20)
    .map(([, file = '', line, column]) => `${file.slice(root.length)}:${line}:${column}`)
}
