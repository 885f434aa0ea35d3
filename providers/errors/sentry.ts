import { describeCause, createSendHttp } from '#providers/http/send-http.ts'
import type { ErrorEvent, ErrorReporter } from './errors.port.ts'

export type SentryOptions = {
  /** The error-reporting service's DSN, `https://<key>@<host>/<project>`. The URL may have a path before the project. */
  dsn: string
  timeoutMs: number
}

/**
 * Creates a reporter that sends errors using version 7 of Sentry's envelope protocol, which several services support. The reporter's own
 * error messages contain the HTTP status or the network failure, but nothing from the event or the key.
 */
export function createSentryReporter({ dsn, timeoutMs }: SentryOptions): ErrorReporter {
  const { url, key } = getEnvelopeEndpoint(dsn)
  const sendHttp = createSendHttp({ cert: null, key: null, ca: null })
  return {
    async send(event) {
      const answer = await sendHttp({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/x-sentry-envelope',
          'x-sentry-auth': `Sentry sentry_version=7, sentry_client=fantail/1, sentry_key=${key}`,
        },
        body: buildEnvelope(event),
        ignoresBody: true,
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((failure: unknown) => ({ why: describeCause(failure) }))
      if ('why' in answer) throw new Error(`the error-reporting service gave no answer: ${answer.why}`)
      const { status, headers } = answer
      if (status === 429) return { waitSeconds: parseRetryAfter(headers.get('retry-after')) }
      if (status >= 200 && status < 300) return 'sent'
      if (status >= 500 || status === 408) throw new Error(`the error-reporting service answered HTTP ${status}`)
      return 'refused'
    },
  }
}

function getEnvelopeEndpoint(dsn: string): { url: string; key: string } {
  const { origin, pathname, username } = new URL(dsn)
  const parts = pathname.split('/')
  const project = parts.pop()
  return { url: `${origin}${parts.join('/')}/api/${project}/envelope/`, key: username }
}

function buildEnvelope(event: ErrorEvent): string {
  const item = JSON.stringify({
    event_id: event.id,
    timestamp: event.at,
    platform: event.side === 'browser' ? 'javascript' : 'node',
    level: 'error',
    exception: {
      values: [
        {
          type: event.name,
          value: event.message,
          mechanism: { type: 'generic', handled: false },
          ...(event.frames.length > 0 && { stacktrace: { frames: event.frames.map(parseFrame).toReversed() } }),
        },
      ],
    },
    tags: event.tags,
    ...(event.release && { release: event.release }),
    ...(event.fingerprint && { fingerprint: [event.fingerprint] }),
  })
  const head = { event_id: event.id, sent_at: event.at }
  const itemHeader = { type: 'event', content_type: 'application/json', length: Buffer.byteLength(item) }
  return `${JSON.stringify(head)}\n${JSON.stringify(itemHeader)}\n${item}\n`
}

/**
 * Converts a stack frame to Sentry's format, with line and column in separate fields. The caller reverses the frames, because Sentry lists
 * the outermost one first.
 */
function parseFrame(frame: string): object {
  const [, file = frame, line, column] = /^(.+):(\d+):(\d+)$/.exec(frame) ?? []
  return { filename: file, in_app: true, ...(line && { lineno: Number(line), colno: Number(column) }) }
}

const defaultWaitSeconds = 60
const maxWaitSeconds = 3_600

/** Parses the `Retry-After` header, which contains seconds or a date. The default is one minute. */
function parseRetryAfter(retryAfter: string | null): number {
  const seconds =
    retryAfter && /^\d+$/.test(retryAfter)
      ? Number(retryAfter)
      : Math.ceil((Date.parse(retryAfter ?? '') - Date.now()) / 1_000)
  return Number.isNaN(seconds) ? defaultWaitSeconds : Math.min(maxWaitSeconds, Math.max(1, seconds))
}
