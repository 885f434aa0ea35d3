import type { Endpoint } from '#kit/contract/endpoint.ts'
import { fetchWithToken } from '#kit/web/csrf.ts'
import type { Fault, FaultKind } from '#kit/web/fault.ts'
import type { Match } from '#kit/web/page.ts'
import { pagePatternRegex, maxFrames, type Report, reportPath, unknownPage } from '../error-reports.contract.ts'
import { scrub } from '../scrub.contract.ts'

/** Maximum error reports per page load. Without a limit, a broken page could report errors endlessly. */
const maxReports = 5

const reportedKeys = new Set<string>()

/**
 * Reports a browser error to the server: each distinct error once, at most five per page load, and none while offline.
 * `url` is the endpoint that receives the report.
 */
export function reportError(
  match: Match,
  path: string,
  [kind, error, response]: Fault,
  url: string = reportPath,
): void {
  if (!navigator.onLine || reportedKeys.size >= maxReports || isThirdPartyError(error)) return
  const page = getPagePattern(match, path)
  const { name, message, frames, ...rest } = createReport(
    kind,
    response ? describeFailedRequest(error as Endpoint, response) : error,
    page,
    response?.headers.get('x-request-id'),
  )
  const dedupeKey = JSON.stringify([name, message, frames[0]])
  if (reportedKeys.has(dedupeKey)) return
  reportedKeys.add(dedupeKey)
  // Swallow the failure of a report, so that it does not trigger another report.
  fetchWithToken(url, {
    method: 'POST',
    keepalive: true,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ name, message, frames, ...rest } satisfies Report),
  }).catch(() => {})
}

function createReport(kind: FaultKind, error: unknown, page: string, requestId: string | null | undefined): Report {
  return {
    kind,
    name: getErrorName(error),
    message: scrub(getErrorMessage(error)),
    frames: parseFrames(error),
    page: pagePatternRegex.test(page) ? page : unknownPage,
    request_id: requestId && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(requestId) ? requestId : null,
    build: findBuildName(document),
    browser: parseBrowser(navigator.userAgent),
  }
}

const describeFailedRequest = ({ method, path }: Endpoint, { status }: Response): string =>
  `${method} ${path} answered ${status}`

/**
 * The page's route pattern. If the route is a regular expression, returns the path with parameter names in place of the
 * matched values.
 */
function getPagePattern({ page, params }: Match, path: string): string {
  if (page.status === 404) return unknownPage
  if (typeof page.path === 'string') return page.path
  const names = new Map(Object.entries(params).map(([name, value]) => [value, `:${name}`]))
  return path
    .split('/')
    .map((part) => names.get(decodeURIComponent(part)) ?? part)
    .join('/')
}

const getErrorName = (error: unknown): string =>
  error instanceof Error && /^[A-Za-z_]{1,60}$/.test(error.name) ? error.name : 'Error'

function getErrorMessage(error: unknown): string {
  if (!(error instanceof Error))
    return typeof error === 'string' ? error : `something that is no error: ${typeof error}`
  // React wraps errors that occur during hydration, so add the cause's message.
  return error.cause instanceof Error ? `${error.message} Cause: ${error.cause.message}` : error.message
}

const isThirdPartyError = (error: unknown): boolean =>
  error instanceof Error && /-extension:\/\//.test(error.stack ?? '') && parseFrames(error).length === 0

/** Keeps only stack frames in the portal's own files, because browsers differ in how they format all other frames. */
function parseFrames(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const portalFrames = stack.matchAll(
    /(https?:\/\/[^/\s]+)(\/\w+\/build\/[\w@./-]{1,120})(?:\?[^\s:)]*)?:(\d{1,7}):(\d{1,7})/g,
  )
  return [...portalFrames]
    .filter(([, origin]) => origin === location.origin)
    .slice(0, maxFrames)
    .map(([, , file, line, column]) => `${file}:${line}:${column}`)
}

function findBuildName({ scripts }: Document): string {
  const file = [...scripts].map(({ src }) => src.split('/').pop() ?? '').find((name) => name.startsWith('entry-client'))
  return file && /^[\w.-]{1,60}$/.test(file) ? file : 'unknown'
}

/** The browser's name and major version. More detail could identify the customer. */
function parseBrowser(agent: string): Report['browser'] {
  const [, name = '', version = ''] =
    /(Firefox|Edg|Chrome)\/(\d{1,3})\./.exec(agent.replace(/Chrome(?=.*Edg\/)/, '')) ??
    /(Version)\/(\d{1,3})\b.*Safari/.exec(agent) ??
    []
  const names: Record<string, string> = { Edg: 'Edge', Version: 'Safari' }
  return name ? `${names[name] ?? name} ${version}` : 'other'
}
